import type { statistics } from '@parlance/contracts';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import type { Exclusions } from '../domain/sums';
import type { Scope } from '../app/read-counters';

/** Maximum scopes of one call. */
export const MAX_SCOPES = 1000;
/** Maximum ids of one list in a request. */
const MAX_IDS = 100_000;
const LANGUAGE_CODE = /^[A-Za-z0-9_@.-]{1,50}$/;

class RequestChecker {
  readonly problems: FieldProblem[] = [];

  private addProblem(attr: string, code: string, detail: string): void {
    if (this.problems.length < 20) this.problems.push({ attr, code, detail });
  }

  id(attr: string, value: number, zeroAllowed = false): number {
    if (!Number.isSafeInteger(value) || value < (zeroAllowed ? 0 : 1))
      this.addProblem(attr, 'invalid', 'An id must be a positive whole number.');
    return value;
  }

  ids(attr: string, values: readonly number[]): readonly number[] {
    if (values.length > MAX_IDS) this.addProblem(attr, 'max_length', `At most ${MAX_IDS} ids are allowed.`);
    else values.forEach((v, i) => this.id(`${attr}.${i}`, v));
    return values;
  }

  code(attr: string, value: string): string {
    if (!LANGUAGE_CODE.test(value)) this.addProblem(attr, 'invalid', 'The value is not a language code.');
    return value;
  }

  unknown(attr: string): void {
    this.addProblem(attr, 'invalid_choice', 'The kind of scope is unknown.');
  }

  throwIfInvalid(): void {
    if (this.problems.length > 0) throw fieldErrors(this.problems);
  }
}

type WireScope = statistics.GetCountersRequest__Output['scopes'][number];

function readScope(scope: WireScope, at: string, check: RequestChecker): Scope | undefined {
  const excluded = (): Exclusions => ({
    components: new Set(check.ids(`${at}.excluded_component_ids`, scope.excludedComponentIds)),
    projects: new Set(check.ids(`${at}.excluded_project_ids`, scope.excludedProjectIds)),
  });
  const id = () => check.id(`${at}.id`, scope.id);
  const code = () => check.code(`${at}.language_code`, scope.languageCode);
  const components = () => check.ids(`${at}.component_ids`, scope.componentIds);
  switch (scope.kind) {
    case 'SCOPE_KIND_SITE':
      return { kind: 'site', excluded: excluded() };
    case 'SCOPE_KIND_PROJECT':
      return { kind: 'project', id: id(), also: components(), excluded: excluded() };
    case 'SCOPE_KIND_COMPONENT':
      return { kind: 'component', id: id() };
    case 'SCOPE_KIND_TRANSLATION':
      return { kind: 'translation', id: id() };
    case 'SCOPE_KIND_LANGUAGE':
      return { kind: 'language', code: code(), excluded: excluded() };
    case 'SCOPE_KIND_PROJECT_LANGUAGE':
      return { kind: 'projectLanguage', id: id(), code: code(), also: components(), excluded: excluded() };
    case 'SCOPE_KIND_COMPONENTS':
      return { kind: 'components', ids: components(), excluded: excluded() };
    default:
      check.unknown(`${at}.kind`);
      return undefined;
  }
}

/** @throws INVALID with all problems */
export function readScopes(request: statistics.GetCountersRequest__Output): Scope[] {
  if (request.scopes.length > MAX_SCOPES) {
    throw fieldErrors([
      { attr: 'scopes', code: 'max_length', detail: `At most ${MAX_SCOPES} scopes can be requested at once.` },
    ]);
  }
  const check = new RequestChecker();
  const scopes = request.scopes.map((scope, i) => readScope(scope, `scopes.${i}`, check));
  check.throwIfInvalid();
  return scopes as Scope[];
}

/** @throws INVALID with all problems */
export function readLanguageRequest(request: statistics.ListLanguageCountersRequest__Output): {
  projectId: number;
  also: readonly number[];
  excluded: Exclusions;
} {
  const check = new RequestChecker();
  const projectId = check.id('project_id', request.projectId, true);
  const also = check.ids('component_ids', request.componentIds);
  const components = new Set(check.ids('excluded_component_ids', request.excludedComponentIds));
  check.throwIfInvalid();
  return { projectId, also, excluded: { components, projects: new Set() } };
}
