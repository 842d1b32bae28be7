import { FlagError, findCheck, parseFlags } from '@parlance/checks';
import { actionByName } from '@parlance/contracts';
import { formatInfo } from '@parlance/formats';
import { parseQuery, SearchError } from '@parlance/search';
import type { Vocabularies } from './app/deps';

/** Vocabularies of the libraries for formats, checks and queries. */
export const vocabularies: Vocabularies = {
  format(id) {
    const info = formatInfo(id);
    return (
      info && {
        kind: info.kind,
        editBase: info.can.editBase,
        startsEmpty: info.newFile === 'built-in',
        needsBaseWhenBilingual: id.includes('xliff'),
        params: info.params,
      }
    );
  },
  isCheck: (id) => findCheck(id) !== undefined,
  flagProblem(text) {
    try {
      parseFlags(text);
      return null;
    } catch (error) {
      if (error instanceof FlagError) return error.message;
      throw error;
    }
  },
  queryProblem(text) {
    try {
      parseQuery(text, { changeAction: actionByName });
      return null;
    } catch (error) {
      if (error instanceof SearchError) return error.message;
      throw error;
    }
  },
};
