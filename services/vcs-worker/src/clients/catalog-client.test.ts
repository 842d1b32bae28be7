import { ownCaller, createClient } from '@parlance/grpc-kit';
import { standIn } from '../../test/support/stand-in';
import { SECRET } from '../../test/support/stand-in';
import { makeCatalogClient } from './catalog-client';

it('all labels of a project are loaded, however many there are', async () => {
  const all = Array.from({ length: 2_001 }, (_, at) => ({ id: at + 1, name: `label ${at + 1}` }));
  const server = await standIn('catalog', {
    async listLabels({ page }) {
      const { page: number, pageSize } = page!;
      return { labels: all.slice((number - 1) * pageSize, number * pageSize), total: all.length };
    },
  });
  const client = createClient('catalog', `127.0.0.1:${server.port}`);
  const labels = await makeCatalogClient(client, ownCaller('vcs-worker', SECRET)).labels(1);
  expect(labels.size).toBe(2_001);
  expect(labels.get('label 2001')).toBe(2_001);
  client.close();
  await server.drain(15_000);
});
