import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Caller } from '@parlance/access';
import type { catalog, identity, translation as proto } from '@parlance/contracts';
import type { ComponentView } from '../../directory/component-view';
import { actionByName, actionNames } from '@parlance/contracts';
import { presentComponent, presentLanguage, visibleParts } from '../components/present';
import type { Links } from '../../responses/links';
import { shared } from '../../responses/render';
import { timestamp } from '../../responses/links';
import { percent } from '../statistics/present';
import type { changedUnitSchema, unitSchema } from '../units/schema';
import type { changeSchema } from '../site/schema';
import type { Label } from '../labels/schema';

/** Context that is needed to present a translation's strings. */
export interface TranslationLocation {
  projectSlug: string;
  componentPath: string;
}

/**
 * Components and languages as responses contain them: each is presented and serialized once for all responses. The key is the object of the
 * directory, which is never modified: after a change, the directory has another object.
 */
const presented = new LRUCache<object, Map<string, object>>({ max: 2_000 });
/** Forms of one object at most; requests may come under several hosts. */
const MAX_FORMS = 8;

/** Presents the components and languages of a response's translations. */
export class TranslationParents {
  constructor(
    private readonly links: Links,
    private readonly caller: Caller,
  ) {}

  component(view: ComponentView): object {
    const { files, owner } = visibleParts(view, this.caller);
    return presentedOnce(view, `${this.links.base} ${files} ${owner}`, () =>
      presentComponent(view, this.links, this.caller),
    );
  }

  language(language: catalog.Language__Output): object {
    return presentedOnce(language, this.links.base, () => presentLanguage(language, this.links));
  }
}

/** @param form what else the result depends on */
function presentedOnce(source: object, form: string, present: () => object): object {
  let forms = presented.get(source);
  if (!forms) presented.set(source, (forms = new Map()));
  let result = forms.get(form);
  if (!result) {
    if (forms.size === MAX_FORMS) forms.clear();
    forms.set(form, (result = shared(present())));
  }
  return result;
}

export function presentTranslation(
  t: proto.Translation__Output,
  view: ComponentView,
  language: catalog.Language__Output,
  links: Links,
  parents: TranslationParents,
  withComponent = true,
): Record<string, unknown> {
  const { project, component } = view;
  const url = links.translation(project.slug, component.path, t.languageCode);
  const location = `${project.slug}/${component.path}/${t.languageCode}/`;
  const counters = t.counters!;
  const total = counters.all?.strings ?? 0;
  const numbers = (name: string, tally: { strings: number; words: number } | null, whenEmpty = 0) => ({
    [name]: tally?.strings ?? 0,
    [`${name}_words`]: tally?.words ?? 0,
    [`${name}_percent`]: percent(tally?.strings ?? 0, total, whenEmpty),
  });
  return {
    language: parents.language(language),
    ...(withComponent ? { component: parents.component(view) } : {}),
    language_code: t.fileLanguageCode,
    id: t.id,
    // Source strings without their own file come from the template of new translations.
    filename: t.filename || (t.isSource ? component.newBase : ''),
    revision: t.revision,
    web_url: links.web(`projects/${location}`),
    share_url: links.web(`engage/${project.slug}/-/${t.languageCode}/`),
    translate_url: links.web(`translate/${location}`),
    url,
    is_template: t.isTemplate,
    is_source: t.isSource,
    total,
    total_words: counters.all?.words ?? 0,
    ...numbers('translated', counters.translated, 100),
    ...numbers('fuzzy', counters.fuzzy),
    ...numbers('failing_checks', counters.failing),
    have_suggestion: counters.suggestions?.strings ?? 0,
    have_comment: counters.comments?.strings ?? 0,
    last_change: timestamp(counters.lastChangeMs),
    last_author: counters.lastAuthor || null,
    repository_url: `${url}repository/`,
    file_url: `${url}file/`,
    statistics_url: `${url}statistics/`,
    changes_list_url: `${url}changes/`,
    units_list_url: `${url}units/`,
  };
}

/** The checksum of a unit in browser addresses: its id_hash as 16 hexadecimal digits. */
export function checksum(idHash: string): string {
  return BigInt.asUintN(64, BigInt(idHash || '0'))
    .toString(16)
    .padStart(16, '0');
}

export function presentUnit(
  u: proto.Unit__Output,
  location: TranslationLocation,
  labels: ReadonlyMap<number, Label>,
  links: Links,
): z.infer<typeof unitSchema> {
  const url = links.unit(u.id);
  return {
    translation: links.translation(location.projectSlug, location.componentPath, u.languageCode),
    language_code: u.languageCode,
    source: u.source,
    previous_source: u.previousSource.join('\u001e\u001e'),
    target: u.target,
    id_hash: u.idHash,
    content_hash: u.contentHash,
    location: u.location,
    context: u.context,
    note: u.note,
    flags: u.flags,
    labels: u.labelIds.flatMap((id) => labels.get(id) ?? []),
    state: u.state,
    fuzzy: u.state === 10,
    translated: u.state >= 20,
    approved: u.state === 30,
    position: u.position,
    has_suggestion: u.hasSuggestion,
    has_comment: u.hasComment,
    has_failing_check: u.checks.length > 0,
    num_words: u.numWords,
    source_unit: links.unit(u.sourceUnitId),
    priority: u.priority,
    id: u.id,
    web_url: `${links.base}/translate/${location.projectSlug}/${location.componentPath}/${u.languageCode}/?checksum=${checksum(u.idHash)}`,
    url,
    explanation: u.explanation,
    extra_flags: u.extraFlags,
    pending: u.pending,
    timestamp: timestamp(u.createdMs),
    last_updated: timestamp(u.updatedMs),
  };
}

/** The response to a change of a unit. */
export function presentChangedUnit(u: proto.Unit__Output): z.infer<typeof changedUnitSchema> {
  return {
    target: u.target,
    state: u.state,
    explanation: u.explanation,
    extra_flags: u.extraFlags,
    labels: u.labelIds,
  };
}

/** Objects that changes refer to. */
export interface ChangeContext {
  components: ReadonlyMap<number, ComponentView>;
  users: ReadonlyMap<number, identity.User__Output>;
  translations: ReadonlyMap<number, proto.Translation__Output>;
}

const stringRemoved = actionByName('String removed');

export function presentChange(
  c: proto.Change__Output,
  context: ChangeContext,
  links: Links,
): z.infer<typeof changeSchema> {
  const view = context.components.get(c.componentId);
  const translation = context.translations.get(c.translationId);
  const user = (id: number) => {
    const found = context.users.get(id);
    return found ? links.user(found.username) : null;
  };
  return {
    // A deleted string has no address.
    unit: c.unitId && c.action !== stringRemoved ? links.unit(c.unitId) : null,
    component: view ? links.component(view.project.slug, view.component.path) : null,
    translation:
      view && translation ? links.translation(view.project.slug, view.component.path, translation.languageCode) : null,
    user: user(c.userId),
    author: user(c.authorId),
    timestamp: timestamp(c.timeMs),
    action: c.action,
    target: c.target,
    old: c.old,
    details: c.detailsJson ? (JSON.parse(c.detailsJson) as Record<string, unknown>) : {},
    id: c.id,
    action_name: actionNames[c.action] ?? 'Unknown',
    url: links.change(c.id),
  };
}
