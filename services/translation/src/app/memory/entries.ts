import type { Caller } from '@parlance/access';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { MAX_MEMORY_TEXT, type MemoryEntry, type NewMemoryEntry } from '../../domain/memory/entry';
import type { MemoryFilter } from '../../domain/memory/ports';
import type { Page } from '../../domain/ports';
import { managesMemory, permittedEntry, permittedProject, permittedSight, sharesTexts } from './access';
import { lookUp, type MemoryMatch } from './look-up';
import type { MemoryDeps } from './deps';
import { requireQuota } from './quota';

/** What part of the memory is wanted. */
export interface WantedMemory {
  project: number;
  /** '', own, project or shared */
  scope: string;
  sourceLanguage: string;
  targetLanguage: string;
  origin: string;
}

/** @throws INVALID on field scope or project, PERMISSION_DENIED */
export async function memoryFilter(deps: MemoryDeps, caller: Caller, wanted: WantedMemory): Promise<MemoryFilter> {
  return {
    sight: await permittedSight(deps, caller, wanted),
    sourceLanguage: wanted.sourceLanguage,
    targetLanguage: wanted.targetLanguage,
    origin: wanted.origin,
  };
}

/** @throws INVALID on field scope or project, PERMISSION_DENIED */
export async function listMemory(
  deps: MemoryDeps,
  caller: Caller,
  wanted: WantedMemory,
  page: number,
  size: number,
): Promise<Page<MemoryEntry>> {
  return deps.store.page(await memoryFilter(deps, caller, wanted), page, size);
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteMemoryEntry(deps: MemoryDeps, caller: Caller, id: number): Promise<void> {
  await permittedEntry(deps, caller, id, ['memory.delete'], 'write');
  await deps.store.remove(id);
}

/** Whose memory something new goes to: a project's, the caller's own, or the shared one. */
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
      { attr: 'shared', code: 'invalid', detail: 'Only who manages the memory of the site may add to the shared one.' },
    ]);
  return { project: 0, user: 0, shared: true };
}

/** Longest origin, in characters. */
const MAX_ORIGIN = 500;

/**
 * Adds one entry; the one that is there already when it is known.
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
      problems.push({ attr: name, code: 'max_length', detail: `At most ${MAX_MEMORY_TEXT} characters are possible.` });
  }
  if (given.origin.length > MAX_ORIGIN)
    problems.push({ attr: 'origin', code: 'max_length', detail: `At most ${MAX_ORIGIN} characters are possible.` });
  if (given.sourceLanguage.code === given.targetLanguage.code)
    problems.push({ attr: 'target_language', code: 'invalid', detail: 'The languages must not be the same.' });
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

/** What somebody who translates asks the memory. */
export interface LookUpRequest {
  source: string;
  sourceLanguage: string;
  targetLanguage: string;
  /** 0: the caller's own, and everything for who manages the memory. */
  project: number;
  threshold: number;
  limit: number;
}

/** @throws INVALID naming the field, PERMISSION_DENIED */
export async function lookUpMemory(
  deps: MemoryDeps,
  caller: Caller,
  { source, sourceLanguage, targetLanguage, project: id, threshold, limit }: LookUpRequest,
): Promise<MemoryMatch[]> {
  if (source.length > MAX_MEMORY_TEXT)
    throw fieldErrors([
      { attr: 'source', code: 'max_length', detail: `At most ${MAX_MEMORY_TEXT} characters are possible.` },
    ]);
  const user = caller.userId;
  const permissions = ['machinery.view', 'memory.edit', 'memory.delete'] as const;
  const project = id ? await permittedProject(deps, caller, id, permissions, 'read') : null;
  const sight = project
    ? { project: id, user, shared: project.useShared }
    : managesMemory(caller)
      ? ('everything' as const)
      : { user };
  const languages = { source: sourceLanguage, target: targetLanguage };
  return (await lookUp(deps, [source], { languages, threshold, limit, sight }))[0]!;
}
