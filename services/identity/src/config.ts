import { address, commonSettings, integer, loadConfig, mongoSettings, z } from '@parlance/config';

export const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  /** gRPC address of the catalog, which knows the projects of component lists and the names in notification mails. */
  CATALOG_ADDRESS: address(),
  /** Copies of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** Domain of the addresses that deleted users and bots get; nobody reads mail there. */
  PARLANCE_NOREPLY_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name')
    .default('noreply.parlance.invalid'),
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
