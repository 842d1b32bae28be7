import { mergeFlags, parseFlags } from '@parlance/checks';
import type { catalog as proto } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import { countLookup } from '@parlance/telemetry';
import type { Component } from '../domain/component';
import type { Catalog, CatalogInvalidation } from '../domain/ports';

/** Validity of an entry for callers without a generation, in milliseconds. */
const MAX_AGE_MS = 2_000;
/** In components; evicted in insertion order. */
const CAPACITY = 10_000;

interface Entry {
  generation: string;
  /** Time of a read without a generation, in milliseconds since the epoch; 0: none. Reads of a generation may lack later writes. */
  readAt: number;
  component: Promise<Component | null>;
}

/** Cache of component settings, valid for one catalog generation. */
export class ComponentCache implements Catalog, CatalogInvalidation {
  private readonly entries = new Map<number, Entry>();

  constructor(
    private readonly client: Client<'catalog'>,
    private readonly callerToken: () => string,
  ) {}

  async component(id: number, generation: string): Promise<Component | null> {
    const entry = this.entries.get(id);
    const isFresh =
      entry && (generation === '' ? Date.now() - entry.readAt < MAX_AGE_MS : entry.generation === generation);
    const fresh = countLookup('component-settings', isFresh ? entry : undefined);
    if (fresh) return fresh.component;
    const component = this.ask({ id }, generation);
    if (!entry && this.entries.size >= CAPACITY) this.entries.delete(this.entries.keys().next().value!);
    // What is read without a generation includes every write until now, so it is also valid for the generation known before.
    const readAt = generation === '' ? Date.now() : 0;
    this.entries.set(id, { generation: generation || (entry?.generation ?? ''), readAt, component });
    component.catch(() => this.entries.delete(id));
    return component;
  }

  /** A component by project slug and path; not cached. */
  async named(projectSlug: string, path: string): Promise<Component | null> {
    return this.ask({ projectSlug, path }, '');
  }

  forget(id: number): void {
    this.entries.delete(id);
  }

  forgetAll(): void {
    this.entries.clear();
  }

  private async ask(which: proto.GetComponentRequest, catalogGeneration: string): Promise<Component | null> {
    try {
      const answer = await this.client.getComponent(which, { as: this.callerToken(), catalogGeneration });
      if (!answer.component || !answer.project || !answer.sourceLanguage) return null;
      return componentFromCatalog(answer.component, answer.project, answer.sourceLanguage);
    } catch (error) {
      if (isServiceError(error, 'NOT_FOUND')) return null;
      throw error;
    }
  }
}

/** A component with the settings that it inherits from its project. */
export function componentFromCatalog(
  c: proto.Component__Output,
  p: proto.Project__Output,
  l: proto.Language__Output,
): Component {
  return {
    id: c.id,
    project: c.projectId,
    projectSlug: c.projectSlug,
    path: c.path,
    name: c.name,
    accessControl: p.accessControl,
    restricted: c.restricted,
    locked: c.locked,
    agreement: c.agreement,
    enforced2fa: p.enforced_2fa,
    fileFormat: c.fileFormat,
    fileFormatParams: c.fileFormatParamsJson ? (JSON.parse(c.fileFormatParamsJson) as Record<string, unknown>) : {},
    template: c.template,
    intermediate: c.intermediate,
    editTemplate: c.editTemplate,
    manageUnits: c.manageUnits,
    newBase: c.newBase,
    sourceLanguage: {
      id: l.id,
      code: l.code,
      name: l.name,
      direction: l.direction,
      pluralNumber: l.plural?.number ?? 2,
      pluralFormula: l.plural?.formula ?? 'n != 1',
    },
    // Flags of the component come last: they may discard those of the project.
    checkFlags: mergeFlags(...[p, c].map((of) => parseFlags(of.checkFlags, { lenient: true }))).toString(),
    enforcedChecks: c.enforcedChecks,
    translationReview: p.translationReview,
    sourceReview: p.sourceReview,
    priority: c.priority,
    isGlossary: c.isGlossary,
    propagation: c.allowTranslationPropagation,
    enableSuggestions: c.enableSuggestions,
    suggestionVoting: c.suggestionVoting,
    suggestionAutoaccept: c.suggestionAutoaccept,
    keyFilter: c.keyFilter,
    commitPolicy: p.commitPolicy,
    variantRegex: c.variantRegex,
  };
}
