import type { Client } from '@parlance/grpc-kit';
import type { Tasks, TaskState } from '../domain/ports';

/** Tasks, kept by the vcs-worker. */
export class TasksClient implements Tasks {
  constructor(
    private readonly vcsWorker: Client<'vcs-worker'>,
    private readonly callerToken: () => string,
  ) {}

  async start(component: number): Promise<string> {
    return (await this.vcsWorker.reportTask({ componentId: component, progress: 0 }, { as: this.callerToken() })).id;
  }

  async report(id: string, component: number, { progress, log, result, completed }: TaskState): Promise<void> {
    await this.vcsWorker.reportTask(
      { id, componentId: component, progress, log, resultJson: JSON.stringify(result), completed },
      { as: this.callerToken() },
    );
  }
}
