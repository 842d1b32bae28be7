import { engines as shared } from '@parlance/testing';

export interface Engines {
  mongodbUri: string;
  natsUrl: string;
  namespace: string;
}

let count = 0;

/** Engines with a database and an event stream for this test only. */
export async function engines(): Promise<Engines> {
  const all = await shared();
  const name = `statistics${++count}`;
  return { mongodbUri: all.mongoUri(name), natsUrl: all.natsUrl, namespace: `${all.namespace}${name}` };
}
