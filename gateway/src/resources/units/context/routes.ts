import { field, type translation as proto } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { z } from 'zod';
import { idParam, readQuery } from '../../../bodies/input';
import type { Call } from '../../../routing/call';
import { ok, type Endpoint } from '../../../routing/endpoint';
import { visibleBranch } from '../../components/present';
import { presentMemoryEntry } from '../../memory/present';
import { presentScreenshot } from '../../screenshots/present';
import { changeContext, presentUnits } from '../../shared';
import { presentChange } from '../../translations/present';
import { presentSpan } from '../checks/routes';
import { textDiff } from '../suggestions/text-diff';
import { unitContextSchema } from './schema';
import { sourceFiles, type SourceFile } from './source-files';

/** Entries of the history. */
const HISTORY = 20;
const SCREENSHOTS = 50;
/** Lowest similarity of memory suggestions, in percent, and their number. */
const SIMILARITY = 70;
const SUGGESTIONS = 10;
/** Longest text that the memory looks up, in UTF-16 code units. */
const MAX_MEMORY_TEXT = 10_000;

/**
 * The context of a string with its history and similar texts. A translation service of the previous release, which runs beside this gateway
 * during a rolling upgrade, leaves both out.
 */
async function contextOf(call: Call, unitId: number) {
  const { translation } = call.clients;
  const context = await translation.getUnitContext(
    { unitId, historySize: HISTORY, memoryLimit: SUGGESTIONS, memoryThreshold: SIMILARITY },
    call.options,
  );
  if (context.history) return { ...context, history: context.history };
  const request = { page: { page: 1, pageSize: HISTORY }, unitId, withTranslations: true };
  const [history, memory] = await Promise.all([
    translation.listChanges(request, call.options),
    lookUpMemory(call, context.unit!),
  ]);
  return { ...context, history, memory };
}

/** Similar texts of the memory; null where the caller may not look them up. */
async function lookUpMemory(call: Call, unit: proto.Unit__Output): Promise<proto.LookUpMemoryResponse__Output | null> {
  const view = (await call.directory.componentsById([unit.componentId])).get(unit.componentId);
  const source = unit.source[0] ?? '';
  if (!view || unit.isSource || source === '' || source.length > MAX_MEMORY_TEXT) return { matches: [] };
  const request = {
    source,
    sourceLanguageCode: view.sourceLanguage.code,
    targetLanguageCode: unit.languageCode,
    projectId: unit.projectId,
    threshold: SIMILARITY,
    limit: SUGGESTIONS,
  };
  try {
    return await call.clients.translation.lookUpMemory(request, call.options);
  } catch (error) {
    if (isServiceError(error, 'PERMISSION_DENIED')) return null;
    throw error;
  }
}

const presentMatches = ({ matches }: proto.LookUpMemoryResponse__Output): Record<string, unknown>[] =>
  matches.map((match) => ({ ...presentMemoryEntry(match.entry!), similarity: match.similarity }));

async function screenshotsOf(call: Call, unit: proto.Unit__Output): Promise<unknown[]> {
  const { screenshots } = await call.clients.media.listScreenshots(
    {
      page: { page: 1, pageSize: SCREENSHOTS },
      componentId: unit.componentId,
      unitIds: [unit.id, unit.sourceUnitId],
    },
    call.options,
  );
  if (screenshots.length === 0) return [];
  const ids = [...new Set(screenshots.flatMap((s) => s.unitIds))];
  const [views, { units }] = await Promise.all([
    call.directory.componentsById([unit.componentId]),
    call.clients.translation.batchGetUnits({ ids }, call.options),
  ]);
  const there = new Set(units.map((u) => u.id));
  const view = views.get(unit.componentId);
  return view ? screenshots.map((s) => presentScreenshot(s, view, there, call.links)) : [];
}

async function presentHistory(
  call: Call,
  { changes, translations }: proto.ListChangesResponse__Output,
): Promise<unknown[]> {
  const context = await changeContext(call, changes, translations);
  return changes.map((change) => ({
    ...presentChange(change, context, call.links),
    diff: change.old === '' ? [] : textDiff(change.old, change.target),
  }));
}

const contextQuery = z.object({
  machinery: field
    .boolean('Whether to ask the machine translation engines of the project, which takes seconds and may cost money.')
    .default(false),
});

/** Answers of machine translation engines; null where the caller may not ask them. */
async function machineryOf(call: Call, unit: proto.Unit__Output) {
  try {
    const request = { unitId: unit.id };
    const { suggestions, problems } = await call.clients.translation.getMachineSuggestions(request, call.options);
    return {
      suggestions: suggestions.map(({ engine, engineName, quality, target }) => ({
        engine,
        engine_name: engineName,
        quality,
        target,
      })),
      problems,
    };
  } catch (error) {
    if (isServiceError(error, 'PERMISSION_DENIED')) return null;
    throw error;
  }
}

const highlightKinds = {
  HIGHLIGHT_KIND_UNSPECIFIED: 'placeholder',
  HIGHLIGHT_KIND_PLACEHOLDER: 'placeholder',
  HIGHLIGHT_KIND_MARKUP: 'markup',
  HIGHLIGHT_KIND_WHITESPACE: 'whitespace',
} as const;

/** Marks of an editor, glossary terms included. */
function highlightsOf({ highlights, terms }: proto.GetUnitContextResponse__Output) {
  const found = [
    ...highlights.map(({ kind, span }) => ({ kind: highlightKinds[kind], ...presentSpan(span!) })),
    ...terms.flatMap(({ spans }) =>
      spans.map((span) => ({ kind: 'term' as const, ...presentSpan({ ...span, isSource: true }) })),
    ),
  ];
  return found.sort((a, b) => a.side.localeCompare(b.side) || a.form - b.form || a.start - b.start);
}

async function sourceFilesOf(call: Call, unit: proto.Unit__Output): Promise<SourceFile[]> {
  const view = (await call.directory.componentsById([unit.componentId])).get(unit.componentId);
  return view ? sourceFiles(unit.location, view.component.repoweb, visibleBranch(view, call.caller)) : [];
}

const presentVariant = (call: Call, term: proto.FoundTerm__Output) => ({
  unit: call.links.unit(term.unitId),
  source: term.source,
  targets: term.targets,
  forbidden: term.forbidden,
  read_only: term.readOnly,
});

const presentTerm = (call: Call, term: proto.FoundTerm__Output) => ({
  ...presentVariant(call, term),
  variants: term.variants.map((variant) => presentVariant(call, variant)),
  spans: term.spans.map((span) => ({
    form: span.form,
    start: span.start,
    end: span.end,
    start_code_point: span.startCodePoint,
    end_code_point: span.endCodePoint,
  })),
});

export const unitContextEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/units/:unit/context/',
    response: unitContextSchema,
    access: 'anyone',
    query: contextQuery,
    doc: 'Shows what is around a string: neighbours, the same source elsewhere, glossary, highlights, memory, screenshots, history.',
    asksOutside: true,
    async handle(call) {
      const asksEngines = readQuery(call, contextQuery).machinery;
      const context = await contextOf(call, idParam(call, 'unit'));
      const unit = context.unit!;
      const { before, after, sameSource } = context;
      const [presented, machinery, files, screenshots, history] = await Promise.all([
        // Presented together: related objects of the units are fetched once.
        presentUnits(call, [...before, ...after, ...sameSource]),
        asksEngines ? machineryOf(call, unit) : null,
        sourceFilesOf(call, unit),
        screenshotsOf(call, unit),
        presentHistory(call, context.history),
      ]);
      return ok({
        unit: call.links.unit(unit.id),
        before: presented.slice(0, before.length),
        after: presented.slice(before.length, before.length + after.length),
        same_source: presented.slice(before.length + after.length),
        glossary: context.terms.map((term) => presentTerm(call, term)),
        highlights: highlightsOf(context),
        source_files: files,
        memory: context.memory && presentMatches(context.memory),
        machinery,
        screenshots,
        history,
        history_count: context.history.total,
      } as z.infer<typeof unitContextSchema>);
    },
  },
];
