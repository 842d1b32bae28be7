import { can, type Caller } from '@parlance/access';
import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, noting, ServiceError } from '@parlance/errors';
import type { RunningConsumer } from '@parlance/events';
import { chunks, pageOf, requireId, type CallContext, type Implementation } from '@parlance/grpc-kit';
import { addComment } from '../app/edit/add-comment';
import { createUnit } from '../app/edit/create-unit';
import { deleteUnit } from '../app/edit/delete-unit';
import type { Downloader } from '../app/download-file';
import { loadTranslation } from '../app/load-translation';
import { streamUnits, type UnitLister } from '../app/search/list-units';
import { SERVICE_KEY, type SearchCaller } from '../app/search/search-budget';
import type { Deps } from '../app/deps';
import { authorOf, updateUnit, type AddonEdit } from '../app/edit/update-unit';
import { uploadFile } from '../app/upload/upload-file';
import { accessTarget } from '../domain/component';
import type { ChangeFilter } from '../domain/ports';
import {
  authorFromProto,
  changeToProto,
  countersToProto,
  recentScopeFromProto,
  translationToProto,
  unitToProto,
} from './mappers';
import type { AutotranslateMethod } from './autotranslate-handlers';
import type { MemoryMethod } from './memory-handlers';
import type { RepositoryMethod } from './repository-handlers';
import { MAX_FILE_BYTES, senderOf, type Admissions } from './uploads';
import { requireEditedTexts, requireIds, requireService } from './validation';

/** Most rows of contributions that are answered. */
const MAX_CONTRIBUTIONS = 10_000;

/** How long a reader waits for events that were announced before it asked, in milliseconds. */
const CATCH_UP_MS = 2_000;
/** Most scopes whose recent changes are counted at once. */
const MAX_SCOPES = 1000;

function addonOf(edit: proto.AddonEdit__Output, caller: Caller): AddonEdit {
  requireService(caller);
  const { name, action, readOnly } = edit;
  return { name, action, readOnly, author: authorFromProto(edit.author) ?? authorOf(caller) };
}

/** Whose budget a search uses. The signal is made when it is asked for. */
function searchCallerOf(context: CallContext): SearchCaller {
  const { caller, clientAddress } = context;
  return {
    key: caller.service
      ? `${SERVICE_KEY}${caller.service}`
      : caller.anonymous
        ? `address:${clientAddress}`
        : `user:${caller.userId}`,
    get signal() {
      return context.signal;
    },
  };
}

/** What requests about the history have in common. */
function changesOf(request: proto.CountContributionsRequest__Output | proto.ListChangesRequest__Output): ChangeFilter {
  return {
    project: request.projectId,
    component: request.componentId,
    user: request.userId,
    actions: request.actions,
    after: request.afterMs,
    before: request.beforeMs,
    excludedComponents: request.excludedComponentIds,
    excludedProjects: request.excludedProjectIds,
  };
}

/** Methods that say everything that is wrong with a request: their use cases end with `throwIfInvalid`. */
export const completing = [
  'createUnit',
  'updateUnit',
  'createComment',
  'uploadFile',
  'autotranslate',
] as const satisfies (keyof Implementation<'translation'>)[];

/** The contract's methods about translations, their strings and their history, on top of the use cases. */
export function makeHandlers(
  deps: Deps,
  lister: UnitLister,
  downloader: Downloader,
  changesConsumer: RunningConsumer,
  admissions: Admissions,
): Omit<Implementation<'translation'>, RepositoryMethod | MemoryMethod | AutotranslateMethod> {
  return {
    async getTranslation(request) {
      const found = request.id
        ? await deps.translations.get(request.id)
        : await deps.translations.find(requireId(request.componentId, 'component_id'), request.languageCode);
      if (!found) throw new ServiceError('NOT_FOUND');
      return { translation: translationToProto(found) };
    },
    async batchGetTranslations(request) {
      return { translations: (await deps.translations.many(requireIds(request.ids))).map(translationToProto) };
    },
    async listTranslations(request) {
      const { page, size } = pageOf(request.page, { maxSize: 10_000 });
      const found = await deps.translations.page(
        {
          components: request.componentIds,
          projects: request.projectIds,
          language: request.languageCode,
          excludedComponents: request.excludedComponentIds,
          excludedProjects: request.excludedProjectIds,
        },
        page,
        size,
      );
      return { translations: found.items.map(translationToProto), total: found.total };
    },
    async deleteTranslation(request, context) {
      requireService(context.caller);
      const translation = await deps.translations.get(requireId(request.id, 'id'));
      if (translation) await deps.removeTranslation(translation, authorFromProto(request.author));
      return {};
    },

    async getUnit(request) {
      const unit = await deps.units.get(requireId(request.id, 'id'));
      if (!unit) throw new ServiceError('NOT_FOUND');
      deps.recentUnits.note([unit]);
      return { unit: unitToProto(unit) };
    },
    async batchGetUnits(request) {
      return { units: (await deps.units.many(requireIds(request.ids))).map(unitToProto) };
    },
    async listUnits(request, context) {
      const { page, size } = pageOf(request.page, { defaultSize: 100, maxSize: 10_000 });
      const found = await lister.list({
        page,
        size,
        translation: request.translationId,
        q: request.q,
        excludedComponents: request.excludedComponentIds,
        excludedProjects: request.excludedProjectIds,
        projects: request.projectIds,
        generation: context.catalogGeneration,
        sourceUnit: request.sourceUnitId,
        knownVersion: request.knownVersion,
        caller: searchCallerOf(context),
      });
      return {
        units: found.items.map(unitToProto),
        total: found.total,
        version: found.version,
        unchanged: found.unchanged,
      };
    },
    async createUnit(request, context) {
      const unit = await createUnit(
        deps,
        context.caller,
        {
          translation: requireId(request.translationId, 'translation_id'),
          context: request.context,
          source: request.source,
          target: request.target,
          ...(request.state === undefined ? {} : { state: request.state }),
          problems: context.problems,
        },
        context.catalogGeneration,
      );
      return { unit: unitToProto(unit) };
    },
    async deleteUnit(request, context) {
      await deleteUnit(deps, context.caller, requireId(request.id, 'id'), context.catalogGeneration);
      return {};
    },
    async updateUnit(request, context) {
      const problems = [...context.problems];
      const target = request.hasTarget
        ? await noting(problems, () => requireEditedTexts(request.target, 'target'))
        : undefined;
      const unit = await updateUnit(
        deps,
        context.caller,
        {
          id: requireId(request.id, 'id'),
          ...(target ? { target } : {}),
          ...(request.state === undefined ? {} : { state: request.state }),
          ...(request.explanation === undefined ? {} : { explanation: request.explanation }),
          ...(request.extraFlags === undefined ? {} : { extraFlags: request.extraFlags }),
          ...(request.hasLabels ? { labels: request.labelIds } : {}),
          expectedVersion: request.expectedVersion,
          ...(request.addon ? { addon: addonOf(request.addon, context.caller) } : {}),
          problems,
        },
        context.catalogGeneration,
      );
      return { unit: unitToProto(unit) };
    },
    async *streamUnits({ translationId, q }, context) {
      const translation = requireId(translationId, 'translation_id');
      for await (const units of streamUnits(deps, translation, q, context.catalogGeneration, searchCallerOf(context)))
        yield { units: units.map(unitToProto) };
    },

    async createComment(request, context) {
      const { comment, username } = await addComment(
        deps,
        context.caller,
        {
          unit: requireId(request.unitId, 'unit_id'),
          scope: request.scope,
          text: request.text,
          email: request.userEmail,
          ...(request.timeMs === undefined ? {} : { time: request.timeMs }),
          problems: context.problems,
        },
        context.catalogGeneration,
      );
      return { id: comment.id, timeMs: comment.time, username };
    },

    async countRecentChanges(request) {
      if (request.scopes.length > MAX_SCOPES)
        throw fieldErrors([{ attr: 'scopes', code: 'max_length', detail: `At most ${MAX_SCOPES} scopes at once.` }]);
      await changesConsumer.caughtUp(CATCH_UP_MS);
      return { counts: await deps.changes.countRecent(request.scopes.map(recentScopeFromProto)) };
    },

    async getChange(request) {
      const change = await deps.changes.get(requireId(request.id, 'id'));
      if (!change) throw new ServiceError('NOT_FOUND');
      return { change: changeToProto(change) };
    },
    async countContributions(request) {
      await changesConsumer.caughtUp(CATCH_UP_MS);
      const found = await deps.changes.contributions(changesOf(request), MAX_CONTRIBUTIONS);
      return {
        contributions: found.map((c) => ({
          userId: c.user,
          translationId: c.translation,
          languageCode: c.language,
          changes: c.changes,
        })),
      };
    },
    async listChanges(request) {
      const { page, size } = pageOf(request.page);
      await changesConsumer.caughtUp(CATCH_UP_MS);
      const found = await deps.changes.page(
        {
          ...changesOf(request),
          translation: request.translationId,
          unit: request.unitId,
          language: request.languageCode,
        },
        page,
        size,
      );
      return { changes: found.items.map(changeToProto), total: found.total };
    },

    async *downloadFile(request, context) {
      const file = await downloader.download(
        context.caller,
        { translation: requireId(request.translationId, 'translation_id'), format: request.format, q: request.q },
        context.catalogGeneration,
        searchCallerOf(context),
      );
      yield {
        header: {
          filename: file.filename,
          contentType: file.contentType,
          size: file.bytes.length,
          lastChangeMs: file.lastChange,
          etag: file.etag,
        },
      };
      for (const chunk of chunks(file.bytes)) yield { chunk };
    },

    async uploadFile(requests, context) {
      const sender = { ...senderOf(context), maxBytes: MAX_FILE_BYTES };
      return admissions.people.receive(
        requests,
        (message) => message.chunk,
        sender,
        async ({ first, bytes }) => {
          const header = first?.header;
          if (!header) throw new ServiceError('INVALID', { message: 'The header comes first.' });
          return uploadFile(
            deps,
            context.caller,
            {
              translation: requireId(header.translationId, 'translation_id'),
              filename: header.filename,
              method: header.method,
              conflicts: header.conflicts,
              fuzzy: header.fuzzy,
              authorName: header.authorName,
              authorEmail: header.authorEmail,
              bytes,
              problems: context.problems,
            },
            context.catalogGeneration,
          );
        },
      );
    },

    async recountTranslation(request, context) {
      await requireSight(deps, context.caller, request.translationId);
      return { counters: countersToProto({ ...(await deps.units.recount(request.translationId)) }) };
    },
  };
}

async function requireSight(deps: Deps, caller: Caller, id: number): Promise<void> {
  const { component } = await loadTranslation(deps, requireId(id, 'translation_id'), '');
  if (!caller.service && !can(caller, 'component.edit', accessTarget(component)))
    throw new ServiceError('PERMISSION_DENIED');
}
