import type { Component } from '../../domain/component';
import type { MachineryParts } from '../machinery/settings';
import type { MemoryParts } from '../memory/parts';
import type { Parts } from '../parts';

/** What automatic translation is given beside the parts of every use case. */
export interface AutotranslateParts extends Parts {
  memory: MemoryParts;
  machinery: MachineryParts;
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
