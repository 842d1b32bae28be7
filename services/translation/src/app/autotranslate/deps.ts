import type { Component } from '../../domain/component';
import type { MachineryDeps } from '../machinery/settings';
import type { MemoryDeps } from '../memory/deps';
import type { Deps } from '../deps';

/** What automatic translation is given beside the parts of every use case. */
export interface AutotranslateDeps extends Deps {
  memory: MemoryDeps;
  machinery: MachineryDeps;
  /** A component by its project's slug and its path. */
  componentNamed(project: string, path: string): Promise<Component | null>;
  tasks: Tasks;
}

/** Where people follow work that takes long. */
export interface Tasks {
  /** Makes a task. */
  start(component: number): Promise<string>;
  report(id: string, component: number, state: TaskState): Promise<void>;
}

export interface TaskState {
  /** Percent. */
  progress: number;
  log: string[];
  result: unknown;
  completed: boolean;
}
