import { engines as shared } from '@parlance/testing';

/** Addresses of the engines for one test file's data. */
export async function engines(name: string): Promise<{ mongodbUri: string; natsUrl: string; redisUrl: string }> {
  const { mongoUri, natsUrl, redisUrl } = await shared();
  return { mongodbUri: mongoUri(name), natsUrl, redisUrl };
}
