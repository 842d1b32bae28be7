import type { catalog } from '@parlance/contracts';
import type { Implementation } from '@parlance/grpc-kit';
import type { Deps } from '../app/deps';
import { getMaintenance, setMaintenance } from '../app/maintenance/maintenance';
import type { Maintenance } from '../domain/ports';
import { requireMessage, toRequestContext } from './requests';

const toProto = (maintenance: Maintenance | null): catalog.Maintenance =>
  maintenance ? { on: true, ...maintenance } : { on: false };

/** gRPC handlers of maintenance mode. */
export function maintenanceHandlers(
  deps: Pick<Deps, 'maintenance' | 'now'>,
): Pick<Implementation<'catalog'>, 'getMaintenance' | 'setMaintenance'> {
  return {
    async getMaintenance(_request, call) {
      return { maintenance: toProto(await getMaintenance(deps, toRequestContext(call))) };
    },
    async setMaintenance(request, call) {
      const wanted = requireMessage(request.maintenance, 'maintenance');
      return {
        maintenance: toProto(
          await setMaintenance(deps, toRequestContext(call), { ...wanted, durationMs: request.durationMs }),
        ),
      };
    },
  };
}
