import {
  Announced,
  MemoryAttemptStore,
  MemoryAuditStore,
  MemoryGroupStore,
  MemoryMailStore,
  MemoryProgressStore,
  MemoryRoleStore,
  MemoryUserStore,
  MemoryWebCredentialStore,
} from '../../test/support/memory-stores';
import { storeContract } from '../../test/support/store-contract';

describe('the stores in memory that use cases are tested on', () => {
  storeContract(() => {
    const announced = new Announced();
    return Promise.resolve({
      users: new MemoryUserStore(announced),
      groups: new MemoryGroupStore(announced),
      roles: new MemoryRoleStore(announced),
      audit: new MemoryAuditStore(announced),
      mails: new MemoryMailStore(),
      progress: new MemoryProgressStore(),
      webCredentials: new MemoryWebCredentialStore(),
      attempts: new MemoryAttemptStore(),
    });
  });
});
