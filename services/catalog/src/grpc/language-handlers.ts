import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { createLanguage, deleteLanguage, getLanguage, listLanguages, updateLanguage } from '../app/languages/languages';
import type { Deps } from '../app/deps';
import { resolveLanguages } from '../app/languages/resolve-languages';
import { languageInfoToProto, languageToProto } from './mappers';
import { toRequestContext, uniqueBatch, requireMessage } from './requests';

/** gRPC handlers of languages. */
export function languageHandlers(
  deps: Deps,
): Pick<
  Implementation<'catalog'>,
  | 'getLanguage'
  | 'batchGetLanguages'
  | 'listLanguages'
  | 'createLanguage'
  | 'updateLanguage'
  | 'deleteLanguage'
  | 'resolveLanguages'
> {
  return { ...readHandlers(deps), ...writeHandlers(deps) };
}

function readHandlers(
  deps: Deps,
): Pick<Implementation<'catalog'>, 'getLanguage' | 'batchGetLanguages' | 'listLanguages' | 'resolveLanguages'> {
  return {
    async getLanguage(request, call) {
      return { language: languageToProto(await getLanguage(deps, toRequestContext(call), request.code)) };
    },
    async batchGetLanguages(request, call) {
      const context = toRequestContext(call);
      const snapshot = await deps.snapshot.at(context.generation);
      const found = [
        ...uniqueBatch(request.ids).map((id) => snapshot.languages.get(id)),
        ...uniqueBatch(request.codes, 'codes').map((code) => snapshot.language(code)),
      ];
      return {
        languages: [...new Set(found)].flatMap((language) =>
          language ? [languageToProto({ language, inUse: snapshot.inUse(language.code) })] : [],
        ),
      };
    },
    async listLanguages(request, call) {
      const { items, total } = await listLanguages(deps, toRequestContext(call), pageOf(request.page));
      return { languages: items.map(languageToProto), total };
    },
    async resolveLanguages(request, call) {
      const { projectId, componentId, fileCodes } = request;
      uniqueBatch(fileCodes, 'file_codes');
      return {
        languages: (await resolveLanguages(deps, toRequestContext(call), { projectId, componentId, fileCodes })).map(
          languageInfoToProto,
        ),
      };
    },
  };
}

function writeHandlers(
  deps: Deps,
): Pick<Implementation<'catalog'>, 'createLanguage' | 'updateLanguage' | 'deleteLanguage'> {
  return {
    async createLanguage(request, call) {
      return {
        language: languageToProto(
          await createLanguage(deps, toRequestContext(call), requireMessage(request.language, 'language')),
        ),
      };
    },
    async updateLanguage(request, call) {
      return {
        language: languageToProto(
          await updateLanguage(
            deps,
            toRequestContext(call),
            request.code,
            requireMessage(request.language, 'language'),
            request.replace,
          ),
        ),
      };
    },
    async deleteLanguage(request, call) {
      await deleteLanguage(deps, toRequestContext(call), request.code);
      return {};
    },
  };
}
