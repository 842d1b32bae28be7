import type { ProjectStore } from '../../../src/domain/ports';
import type { Project } from '../../../src/domain/project';
import type { Announced } from './announced';
import { MemoryRepository } from './memory-repository';

export class MemoryProjectStore extends MemoryRepository<Project> implements ProjectStore {
  constructor(announced: Announced) {
    super(announced, 0);
  }

  protected taken() {
    return undefined;
  }

  bySlug = (slug: string) => Promise.resolve(this.where((p) => p.slug === slug)[0]);

  forget(id: number): Promise<void> {
    this.stored.delete(id);
    return Promise.resolve();
  }
}
