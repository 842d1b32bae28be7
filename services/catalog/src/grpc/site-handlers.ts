import { type Implementation, searchOf } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import { search } from '../app/search/search';
import { hiddenFrom } from '../app/visibility';
import { toRequestContext } from './requests';

/** gRPC handlers that concern all objects of the site. */
export function siteHandlers(deps: Deps): Pick<Implementation<'catalog'>, 'listHidden' | 'getCounts' | 'search'> {
  return {
    async listHidden(_request, call) {
      const context = toRequestContext(call);
      const { projects, components } = hiddenFrom(context, await deps.snapshot.at(context.generation));
      return { projectIds: [...projects], componentIds: [...components] };
    },
    async getCounts(_request, call) {
      const { projects, components, languages } = await deps.snapshot.at(toRequestContext(call).generation);
      return { projects: projects.size, components: components.size, languages: languages.size };
    },
    search: (request, call) => search(deps, toRequestContext(call), searchOf(request)),
  };
}
