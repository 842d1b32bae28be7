import { type Implementation, pageOf } from '@parlance/grpc-kit';
import { createAddon, deleteAddon, effectiveAddons, getAddon, listAddons, updateAddon } from '../app/addons/addons';
import type { Deps } from '../app/deps';
import { addonToProto } from './mappers';
import { toRequestContext } from './requests';

/** gRPC handlers of add-ons. */
export function addonHandlers(
  deps: Deps,
): Pick<
  Implementation<'catalog'>,
  'listAddons' | 'getAddon' | 'listEffectiveAddons' | 'createAddon' | 'updateAddon' | 'deleteAddon'
> {
  return {
    async listAddons(request, call) {
      const { items, total } = await listAddons(deps, toRequestContext(call), request, pageOf(request.page));
      return { addons: items.map(addonToProto), total };
    },
    async getAddon(request, call) {
      return { addon: addonToProto(await getAddon(deps, toRequestContext(call), request.id)) };
    },
    async listEffectiveAddons(request, call) {
      return { addons: (await effectiveAddons(deps, toRequestContext(call), request)).map(addonToProto) };
    },
    async createAddon(request, call) {
      const { componentId, projectId, name, configurationJson } = request;
      return {
        addon: addonToProto(
          await createAddon(deps, toRequestContext(call), { componentId, projectId, name, configurationJson }),
        ),
      };
    },
    async updateAddon(request, call) {
      return {
        addon: addonToProto(await updateAddon(deps, toRequestContext(call), request.id, request, request.replace)),
      };
    },
    async deleteAddon(request, call) {
      await deleteAddon(deps, toRequestContext(call), request.id);
      return {};
    },
  };
}
