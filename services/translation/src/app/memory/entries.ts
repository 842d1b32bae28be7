import type { Caller } from '@parlance/access';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { MAX_MEMORY_TEXT, type MemoryEntry, type NewMemoryEntry } from '../../domain/memory/entry';
import type { MemoryFilter } from '../../domain/memory/ports';
import type { Page } from '../../domain/ports';
import { managesMemory, permittedEntry, permittedProject, visibleEntries, sharesTexts } from './access';
import { lookUp, type MemoryMatch } from './look-up';
import type { MemoryDeps } from './deps';
import { requireQuota } from './quota';

export interface MemorySelection {
  project: number;
  /** '', own, project or shared */
  scope: string;
  sourceLanguage: string;
  targetLanguage: string;
  origin: string;
}

/** @throws INVALID on field scope or project, PERMISSION_DENIED */
export async function memoryFilter(
  deps: MemoryDeps,
  caller: Caller,
  selection: MemorySelection,
): Promise<MemoryFilter> {
  return {
    visible: await visibleEntries(deps, caller, selection),
    sourceLanguage: selection.sourceLanguage,
    targetLanguage: selection.targetLanguage,
    origin: selection.origin,
  };
}

/** @throws INVALID on field scope or project, PERMISSION_DENIED */
export async function listMemory(
  deps: MemoryDeps,
  caller: Caller,
  selection: MemorySelection,
  page: number,
  size: number,
): Promise<Page<MemoryEntry>> {
  return deps.store.page(await memoryFilter(deps, caller, selection), page, size);
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteMemoryEntry(deps: MemoryDeps, caller: Caller, id: number): Promise<void> {
  await permittedEntry(deps, caller, id, ['memory.delete'], 'write');
  await deps.store.remove(id);
}

/** Memory that receives new entries: a project's, the shared memory or, by default, the caller's personal memory. */
export interface MemoryOwner {
  project: number;
  shared: boolean;
}

/** @throws INVALID on field project, PERMISSION_DENIED */
export async function permittedOwner(
  deps: MemoryDeps,
  caller: Caller,
  { project, shared }: MemoryOwner,
): Promise<Pick<NewMemoryEntry, 'project' | 'user' | 'shared'>> {
  if (project) {
    const owner = await permittedProject(deps, caller, project, ['memory.edit'], 'write');
    return { project, user: 0, shared: shared && sharesTexts(owner) };
  }
  if (!shared) return { project: 0, user: caller.userId, shared: false };
  if (!managesMemory(caller))
    throw fieldErrors([
      {
        attr: 'shared',
        code: 'invalid',
        detail: 'Adding to the shared memory requires the site permission memory.manage.',
      },
    ]);
  return { project: 0, user: 0, shared: true };
}

/** Longest origin, in characters. */
const MAX_ORIGIN = 500;

/**
 * Adds one entry. Idempotent: an equal entry is confirmed and returned.
 * @throws INVALID naming the field, PERMISSION_DENIED
 */
export async function addMemoryEntry(
  deps: MemoryDeps,
  caller: Caller,
  given: Pick<NewMemoryEntry, 'source' | 'target' | 'sourceLanguage' | 'targetLanguage' | 'origin'> & MemoryOwner,
): Promise<MemoryEntry> {
  const owner = await permittedOwner(deps, caller, given);
  const problems: FieldProblem[] = [];
  for (const name of ['source', 'target'] as const) {
    if (given[name].trim() === '')
      problems.push({ attr: name, code: 'blank', detail: 'This field must not be empty.' });
    else if (given[name].length > MAX_MEMORY_TEXT)
      problems.push({
        attr: name,
        code: 'max_length',
        detail: `This field must not be longer than ${MAX_MEMORY_TEXT} characters.`,
      });
  }
  if (given.origin.length > MAX_ORIGIN)
    problems.push({
      attr: 'origin',
      code: 'max_length',
      detail: `This field must not be longer than ${MAX_ORIGIN} characters.`,
    });
  if (given.sourceLanguage.code === given.targetLanguage.code)
    problems.push({
      attr: 'target_language',
      code: 'invalid',
      detail: 'The target language must differ from the source language.',
    });
  if (problems.length > 0) throw fieldErrors(problems);
  const entry: NewMemoryEntry = {
    source: given.source,
    target: given.target,
    sourceLanguage: given.sourceLanguage,
    targetLanguage: given.targetLanguage,
    origin: given.origin,
    fromFile: false,
    ...owner,
  };
  async function* one() {
    yield [entry];
  }
  await requireQuota(deps, owner, 1, one(), null);
  await deps.store.add([entry], { now: deps.now(), confirm: true });
  return (await deps.store.find(entry))!;
}

export interface LookUpRequest {
  source: string;
  sourceLanguage: string;
  targetLanguage: string;
  /** 0: the caller's personal memory; for managers of the memory, all entries. */
  project: number;
  /** Minimum similarity, in percent. */
  threshold: number;
  limit: number;
}

/** @throws INVALID naming the field, PERMISSION_DENIED */
export async function lookUpMemory(
  deps: MemoryDeps,
  caller: Caller,
  { source, sourceLanguage, targetLanguage, project: id, threshold, limit }: LookUpRequest,
  generation?: string,
): Promise<MemoryMatch[]> {
  if (source.length > MAX_MEMORY_TEXT)
    throw fieldErrors([
      {
        attr: 'source',
        code: 'max_length',
        detail: `This field must not be longer than ${MAX_MEMORY_TEXT} characters.`,
      },
    ]);
  const user = caller.userId;
  const permissions = ['machinery.view', 'memory.edit', 'memory.delete'] as const;
  const project = id ? await permittedProject(deps, caller, id, permissions, 'read', generation) : null;
  const visible = project
    ? { project: id, user, shared: project.useShared }
    : managesMemory(caller)
      ? ('everything' as const)
      : { user };
  const languages = { source: sourceLanguage, target: targetLanguage };
  return (await lookUp(deps, [source], { languages, threshold, limit, visible }))[0]!;
}
