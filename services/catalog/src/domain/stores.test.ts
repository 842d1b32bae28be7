import { UseCaseWorld } from '../../test/support/memory/world';
import { storeContract } from '../../test/support/store-contract';

describe('the stores in memory that use cases are tested on', () => {
  storeContract(async () => new UseCaseWorld().deps);
});
