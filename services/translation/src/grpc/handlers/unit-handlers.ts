import type { Caller } from '@parlance/access';
import type { translation as proto } from '@parlance/contracts';
import { collectProblems, ServiceError, type FieldProblem } from '@parlance/errors';
import { pageOf, requireId, type CallContext, type Implementation, requireService } from '@parlance/grpc-kit';
import { authorOf } from '../../app/author';
import { addComment, type AddCommentDeps } from '../../app/comments/add-comment';
import { createUnit, type CreateUnitDeps } from '../../app/edit/create-unit';
import { deleteUnit, type DeleteUnitDeps } from '../../app/edit/delete-unit';
import { updateUnit, type AddonEdit, type UnitEditRequest, type UpdateUnitDeps } from '../../app/edit/update-unit';
import { streamUnits, UnitLister, type ListUnitsDeps, type StreamUnitsDeps } from '../../app/search/list-units';
import type { UnitReader } from '../../domain/ports';
import { requireAllMapped } from '../../proto/all-mapped';
import { authorFromProto } from '../../proto/common';
import { unitToProto } from '../mappers';
import { searchCallerOf } from '../search-caller';
import { requireEditedTexts, requireIds } from '../validation';

export type UnitMethod =
  | 'getUnit'
  | 'batchGetUnits'
  | 'listUnits'
  | 'createUnit'
  | 'deleteUnit'
  | 'updateUnit'
  | 'streamUnits'
  | 'createComment';

export interface UnitHandlerDeps
  extends ListUnitsDeps, StreamUnitsDeps, CreateUnitDeps, DeleteUnitDeps, UpdateUnitDeps, AddCommentDeps {
  units: ListUnitsDeps['units'] &
    StreamUnitsDeps['units'] &
    CreateUnitDeps['units'] &
    UpdateUnitDeps['units'] &
    UnitReader;
  translations: ListUnitsDeps['translations'] & CreateUnitDeps['translations'];
  recentUnits: UpdateUnitDeps['recentUnits'];
}

type Request<Name extends UnitMethod> = Parameters<Implementation<'translation'>[Name]>[0];

export function makeUnitHandlers(deps: UnitHandlerDeps): Pick<Implementation<'translation'>, UnitMethod> {
  const lister = new UnitLister(deps);
  return {
    async getUnit({ id, translationId, idHash }) {
      const unit = translationId
        ? await deps.units.byKey(requireId(translationId, 'translation_id'), idHash)
        : await deps.units.get(requireId(id, 'id'));
      if (!unit) throw new ServiceError('NOT_FOUND');
      deps.recentUnits.record([unit]);
      return { unit: unitToProto(unit) };
    },
    async batchGetUnits(request) {
      return { units: (await deps.units.many(requireIds(request.ids))).map(unitToProto) };
    },
    listUnits: (request, context) => listUnits(lister, request, context),
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
      const update = await updateFromProto(request, context);
      return { unit: unitToProto(await updateUnit(deps, context.caller, update, context.catalogGeneration)) };
    },
    async *streamUnits({ translationId, q }, context) {
      const translation = requireId(translationId, 'translation_id');
      for await (const units of streamUnits(deps, translation, q, context.catalogGeneration, searchCallerOf(context)))
        yield { units: units.map(unitToProto) };
    },
    createComment: (request, context) => createComment(deps, request, context),
  };
}

function addonFromProto(edit: proto.AddonEdit__Output, caller: Caller): AddonEdit {
  requireService(caller);
  const { name, action, readOnly } = edit;
  return { name, action, readOnly, author: authorFromProto(edit.author) ?? authorOf(caller) };
}

async function updateFromProto(request: Request<'updateUnit'>, context: CallContext): Promise<UnitEditRequest> {
  const { id, state, explanation, extraFlags, expectedVersion, addon, ...rest } = request;
  const { target, hasTarget, labelIds, hasLabels, ...unmapped } = rest;
  requireAllMapped(unmapped);
  const problems: FieldProblem[] = [...context.problems];
  const texts = hasTarget ? await collectProblems(problems, () => requireEditedTexts(target, 'target')) : undefined;
  return {
    id: requireId(id, 'id'),
    ...(texts ? { target: texts } : {}),
    ...(state === undefined ? {} : { state }),
    ...(explanation === undefined ? {} : { explanation }),
    ...(extraFlags === undefined ? {} : { extraFlags }),
    ...(hasLabels ? { labels: labelIds } : {}),
    expectedVersion,
    ...(addon ? { addon: addonFromProto(addon, context.caller) } : {}),
    problems,
  };
}

async function listUnits(
  lister: UnitLister,
  request: Request<'listUnits'>,
  context: CallContext,
): Promise<proto.ListUnitsResponse> {
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
    knownUnits: request.knownUnits,
    caller: searchCallerOf(context),
  });
  return {
    units: found.items.map(unitToProto),
    total: found.total,
    version: found.version,
    unchanged: found.unchanged,
    stable: found.stable,
    unitIds: request.knownUnits.length > 0 ? found.ids : [],
  };
}

async function createComment(
  deps: AddCommentDeps,
  request: Request<'createComment'>,
  context: CallContext,
): Promise<proto.CreateCommentResponse> {
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
}
