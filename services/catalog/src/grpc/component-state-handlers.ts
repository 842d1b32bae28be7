import type { Implementation } from '@parlance/grpc-kit';
import { acceptAgreement, getAgreement } from '../app/components/agreements';
import { setLock } from '../app/components/lock-components';
import type { Deps } from '../app/deps';
import { requireService } from '../app/visibility';
import { toRequestContext } from './requests';

/** gRPC handlers of the locks, agreements and tasks of components. */
export function componentStateHandlers(
  deps: Deps,
): Pick<Implementation<'catalog'>, 'setLock' | 'getAgreement' | 'acceptAgreement' | 'setComponentTask'> {
  return {
    async setLock(request, call) {
      await setLock(deps, toRequestContext(call), request.componentId, request.locked);
      return { locked: request.locked };
    },
    async getAgreement({ componentId, userId }, call) {
      return getAgreement(deps, toRequestContext(call), componentId, userId);
    },
    async acceptAgreement({ componentId, agreed }, call) {
      return acceptAgreement(deps, toRequestContext(call), componentId, agreed);
    },
    async setComponentTask(request, call) {
      requireService(toRequestContext(call));
      await deps.components.setTask(request.componentId, request.taskId, request.completed);
      await deps.announcer.written();
      return {};
    },
  };
}
