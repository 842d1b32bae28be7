import type { Implementation } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';
import type { Deps } from '../app/deps';
import { fileHandlers } from './file-handlers';
import { makeOperatorHandlers } from './operator-handlers';
import { prepareHandlers } from './prepare-handlers';
import { repositoryHandlers } from './repository-handlers';
import { taskHandlers } from './task-handlers';

/** gRPC handlers of the use cases. */
export function makeHandlers(
  deps: Deps,
  cancelLocally: (task: string) => void,
  admission: FileAdmission,
): Implementation<'vcs-worker'> {
  return {
    ...prepareHandlers(deps, admission),
    ...repositoryHandlers(deps),
    ...fileHandlers(deps, admission),
    ...taskHandlers(deps, cancelLocally),
    ...makeOperatorHandlers(deps),
  };
}
