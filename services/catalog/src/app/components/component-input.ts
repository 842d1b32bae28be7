import { canLinkTo, canSee, linkingPermissions } from '@parlance/access';
import { componentSettings, SECRET_MASK } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';
import { LanguageAliasError, parseLanguageAliases, resolveLanguageCode } from '@parlance/plurals';
import { componentProblems } from '../../domain/component-rules';
import type { Component, ComponentSettings, Project } from '../../domain/objects';
import { joinCredentials, matchKeys, parseLink, splitCredentials } from '../../domain/repository-address';
import { categoryProblem } from '../categories/categories';
import { componentByPath } from '../find-objects';
import { parseJsonObject, pickSettings, type SettingsInput } from '../../domain/settings-input';
import type { RequestContext, Deps } from '../deps';
import { takenProblem } from '../save-object';
import { targetOf } from '../visibility';

/** Requested settings of a component; absent fields keep their value or get defaults. */
export type ComponentInput = SettingsInput & {
  sourceLanguage?: string | undefined;
  categoryId?: number | undefined;
  hasEnforcedChecks?: boolean;
  fileFormatParamsJson?: string | undefined;
};

/** Parses the given settings. */
export function readGivenSettings(input: ComponentInput): {
  settings: Partial<ComponentSettings>;
  problems: FieldProblem[];
} {
  const {
    sourceLanguage: _language,
    enforcedChecks,
    fileFormatParamsJson,
    disableAutoshare: _share,
    ...plain
  } = pickSettings(componentSettings, input);
  const settings = plain as Partial<ComponentSettings>;
  const problems: FieldProblem[] = [];
  if (input.hasEnforcedChecks) settings.enforcedChecks = [...new Set((enforcedChecks ?? []) as string[])];
  if (fileFormatParamsJson !== undefined) {
    const read = parseJsonObject(fileFormatParamsJson as string, 'file_format_params');
    if ('problem' in read) problems.push(read.problem);
    else settings.fileFormatParams = read.value;
  }
  return { settings, problems };
}

/** Resolves file codes of a project to languages. */
async function codeReader(
  deps: Pick<Deps, 'snapshot'>,
  context: RequestContext,
  project: Project,
  sourceLanguage: string,
): Promise<(code: string) => string | null> {
  const index = (await deps.snapshot.at(context.generation)).languageIndex();
  let aliases = new Map<string, string>();
  try {
    aliases = parseLanguageAliases(project.settings.languageAliases);
  } catch (error) {
    if (!(error instanceof LanguageAliasError)) throw error;
  }
  return (code) => resolveLanguageCode(code, { aliases, known: index, sourceLanguage })?.code ?? null;
}

export interface RequestedComponent {
  settings: ComponentSettings;
  sourceLanguage: string;
  categoryId: number;
}

/**
 * All problems that can be found without access to the repository.
 * @param id the component to change; 0: a new one
 */
export async function problemsOf(
  deps: Pick<Deps, 'categories' | 'vocabularies' | 'snapshot'>,
  context: RequestContext,
  project: Project,
  id: number,
  wanted: RequestedComponent,
): Promise<FieldProblem[]> {
  const { settings, sourceLanguage, categoryId } = wanted;
  const snapshot = await deps.snapshot.at(context.generation);
  const problems: FieldProblem[] = componentProblems(settings, {
    project,
    sourceLanguage,
    ...deps.vocabularies,
    languageOf: await codeReader(deps, context, project, sourceLanguage),
  });
  const wrong = new Set(problems.map((p) => p.attr));
  const report = (problem: FieldProblem) => {
    if (!wrong.has(problem.attr)) problems.push(problem);
  };
  if (!snapshot.language(sourceLanguage))
    report({ attr: 'source_language.code', code: 'does_not_exist', detail: 'The language does not exist.' });
  if (settings.secondaryLanguage !== 0 && !snapshot.languages.has(settings.secondaryLanguage)) {
    report({ attr: 'secondary_language', code: 'does_not_exist', detail: 'The language does not exist.' });
  }
  const misplaced = await categoryProblem(deps, project.id, categoryId);
  if (misplaced) {
    report(misplaced);
    return problems;
  }
  for (const field of ['name', 'slug'] as const) {
    if (!wrong.has(field) && (await deps.categories.taken(project.id, categoryId, field, settings[field], id)))
      report(takenProblem(field));
  }
  return problems;
}

/** Origin of a component's repository. */
export type RepositorySource =
  | { kind: 'own'; repo: string; push: string }
  /** Shares the repository of the given component. */
  | { kind: 'linked'; owner: Component };

const NO_SUCH_OWNER = 'The internal address does not name a component.';
const SHARES_ITSELF: FieldProblem = {
  attr: 'repo',
  code: 'invalid',
  detail: 'This component shares the repository of another one; name that component instead.',
};

/** Re-checks the owner of the repository that a new component shares; null when it is valid. */
export async function ownerProblem(deps: Pick<Deps, 'components'>, linkedId: number): Promise<FieldProblem | null> {
  if (linkedId === 0) return null;
  const owner = await deps.components.get(linkedId);
  if (!owner) return { attr: 'repo', code: 'invalid', detail: NO_SUCH_OWNER };
  return owner.linkedId === 0 ? null : SHARES_ITSELF;
}

/** Error for a caller who sees a component but may not use its repository. */
export const NO_RIGHTS_ON_OWNER = `Sharing a repository requires the permissions ${linkingPermissions.join(', ')} on its owner.`;

/** Whether the caller has the permissions on a repository's owner that are required to link to it. */
export async function mayLinkTo(
  deps: Pick<Deps, 'projects'>,
  context: RequestContext,
  owner: Component,
): Promise<boolean> {
  const project = await deps.projects.get(owner.projectId);
  return project !== null && canLinkTo(context.caller, targetOf(project, owner));
}

type ResolveSourceDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'snapshot'>;

/**
 * Resolves an internal address. A new link requires the permissions of `mayLinkTo` on the owner; an existing link was granted
 * already.
 * @param before id and owner of the stored component; absent: a new component
 */
export async function resolveSource(
  deps: ResolveSourceDeps,
  context: RequestContext,
  settings: ComponentSettings,
  before?: Pick<Component, 'id' | 'linkedId'>,
): Promise<RepositorySource | FieldProblem> {
  const link = parseLink(settings.repo);
  if (!link) return { kind: 'own', repo: settings.repo, push: settings.push };
  const wrong = (detail: string): FieldProblem => ({ attr: 'repo', code: 'invalid', detail });
  const project = link.project && link.path ? await deps.projects.bySlug(link.project) : null;
  const owner = project && (await componentByPath(deps, project.id, link.path));
  if (owner && owner.id === before?.linkedId) return { kind: 'linked', owner };
  if (!owner || !canSee(context.caller, targetOf(project, owner))) return wrong(NO_SUCH_OWNER);
  if (owner.id === before?.id) return wrong('A component cannot share its own repository.');
  if (owner.linkedId !== 0) return SHARES_ITSELF;
  if (!canLinkTo(context.caller, targetOf(project, owner)))
    return { attr: 'repo', code: 'permission_denied', detail: NO_RIGHTS_ON_OWNER };
  return { kind: 'linked', owner };
}

/** Settings that are addresses with credentials. */
const ADDRESSES = ['repo', 'push'] as const;

/**
 * Masks in place of credentials (`https://********@host/path`, `https://user:********@host/path`) that cannot be kept: the address changed,
 * or none are stored for it.
 */
export function maskedAddressProblems(source: RepositorySource, before?: Component): FieldProblem[] {
  if (source.kind === 'linked') return [];
  return ADDRESSES.flatMap((attr): FieldProblem[] => {
    const { shown, credentials } = splitCredentials(source[attr]);
    if (!isMasked(credentials)) return [];
    if (!before || before[`${attr}Secret`] === '') {
      return [{ attr, code: 'invalid', detail: `No credentials are stored for "${attr}". Send them in its address.` }];
    }
    if (before.settings[attr] === shown) return [];
    const detail = `The credentials in "${attr}" must be sent again in clear, because the address changes.`;
    return [{ attr, code: 'invalid', detail }];
  });
}

const isMasked = (credentials: string): boolean =>
  credentials === SECRET_MASK || credentials.endsWith(`:${SECRET_MASK}`);

/** The stored form of an own repository's addresses. Masks must have passed `maskedAddressProblems`. */
export function storedAddresses(
  deps: Pick<Deps, 'secrets'>,
  source: RepositorySource,
  before?: Component,
): Pick<Component, 'linkedId' | 'repoSecret' | 'pushSecret' | 'repoKeys'> & { repo: string; push: string } {
  if (source.kind === 'linked')
    return { linkedId: source.owner.id, repo: '', push: '', repoSecret: '', pushSecret: '', repoKeys: [] };
  const keep = (attr: (typeof ADDRESSES)[number]) => {
    const { shown, credentials } = splitCredentials(source[attr]);
    if (credentials && !isMasked(credentials)) return { shown, sealed: deps.secrets.seal(credentials) };
    // Addresses are shown without credentials: one that comes back unchanged keeps them, any change drops them.
    return { shown, sealed: shown === before?.settings[attr] ? before[`${attr}Secret`] : '' };
  };
  const repo = keep('repo');
  const push = keep('push');
  return {
    linkedId: 0,
    repo: repo.shown,
    push: push.shown,
    repoSecret: repo.sealed,
    pushSecret: push.sealed,
    repoKeys: matchKeys(repo.shown),
  };
}

/** An address as git needs it. */
export function withCredentials(deps: Pick<Deps, 'secrets'>, shown: string, sealed: string): string {
  return joinCredentials({ shown, credentials: sealed ? deps.secrets.open(sealed) : '' });
}
