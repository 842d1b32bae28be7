import type { Client, Implementation } from '@parlance/grpc-kit';
import { SecretBox } from '@parlance/secrets';
import { setTimeout as pause } from 'node:timers/promises';
import type { AutotranslateDeps } from './app/autotranslate/deps';
import { AutotranslateRuns } from './app/autotranslate/runs';
import { engineHttp } from './app/machinery/http';
import type { MemoryDeps } from './app/memory/deps';
import type { Deps } from './app/deps';
import type { Config } from './config';
import { makeAutotranslateHandlers, type AutotranslateMethod } from './grpc/autotranslate-handlers';
import { MongoMachineryStore } from './store/machinery-store';
import type { Models } from './store/models';

/** Puts automatic translation together: the engines' settings, the runs, their methods. */
export function composeAutotranslate({
  deps,
  memory,
  models,
  config,
  vcsWorker,
  own,
  componentNamed,
}: {
  deps: Deps;
  memory: MemoryDeps;
  models: Pick<Models, 'machinery'>;
  config: Pick<Config, 'PARLANCE_ENCRYPTION_KEY' | 'PARLANCE_ALLOW_PRIVATE_REMOTES'>;
  vcsWorker: Client<'vcs-worker'>;
  own: () => string;
  componentNamed: AutotranslateDeps['componentNamed'];
}): { handlers: Pick<Implementation<'translation'>, AutotranslateMethod>; stop(): Promise<void> } {
  const whole: AutotranslateDeps = {
    ...deps,
    memory,
    componentNamed,
    machinery: {
      store: new MongoMachineryStore(models.machinery),
      secrets: new SecretBox(config.PARLANCE_ENCRYPTION_KEY),
      http: (signal) =>
        engineHttp({ allowPrivate: config.PARLANCE_ALLOW_PRIVATE_REMOTES, pause, ...(signal ? { signal } : {}) }),
    },
    tasks: {
      async start(component) {
        return (await vcsWorker.reportTask({ componentId: component, progress: 0 }, { as: own() })).id;
      },
      async report(id, component, { progress, log, result, completed }) {
        await vcsWorker.reportTask(
          { id, componentId: component, progress, log, resultJson: JSON.stringify(result), completed },
          { as: own() },
        );
      },
    },
  };
  const runs = new AutotranslateRuns(whole);
  return { handlers: makeAutotranslateHandlers(whole, runs), stop: () => runs.stop() };
}
