import {
  address,
  commonSettings,
  encryptionSettings,
  integer,
  loadConfig,
  mongoSettings,
  redisSettings,
  siteAddress,
  z,
} from '@parlance/config';

export const settings = z.object({
  ...commonSettings,
  ...mongoSettings,
  ...redisSettings,
  ...encryptionSettings,
  /** gRPC address of the catalog, for projects of component lists and names in notification mails. */
  CATALOG_ADDRESS: address(),
  /** gRPC addresses of the services for history and statistics; without them there are no notifications. */
  TRANSLATION_ADDRESS: address().optional(),
  STATISTICS_ADDRESS: address().optional(),
  /** Replicas of each event stream in a NATS cluster. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** Mail domain of bots and deleted users; must not accept mail. */
  PARLANCE_NOREPLY_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name')
    .default('noreply.parlance.invalid'),
  /** Mail server, smtp:// or smtps:// with host, port and credentials. Without it, mails are kept in the list of mails. */
  PARLANCE_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s]+$/, 'must start with smtp:// or smtps://')
    .optional(),
  /** Sender of notification mails. */
  PARLANCE_MAIL_FROM: z.string().regex(/@/, 'must be a mail address').default('Parlance <noreply@localhost>'),
  /** Maximum personal tokens of a user, and tokens of a project. */
  PARLANCE_MAX_TOKENS: integer({ min: 1, max: 10_000, default: 100 }),
  /** Minutes after which an unused session ends. */
  PARLANCE_SESSION_IDLE_MINUTES: integer({ min: 5, max: 525_600, default: 10_080 }),
  /** Hours after which a session ends, however often it is used. */
  PARLANCE_SESSION_HOURS: integer({ min: 1, max: 8_760, default: 720 }),
  /** Address of the site, for links in mails. */
  PARLANCE_PUBLIC_URL: siteAddress().default('http://localhost:8080'),
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
