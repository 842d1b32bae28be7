import {
  address,
  commonSettings,
  encryptionSettings,
  flag,
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
  /** OpenID Connect provider: its address. Plain http is for a provider on this machine. */
  PARLANCE_OIDC_ISSUER: z
    .string()
    .regex(
      /^(https:\/\/[^\s?#]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/[^\s?#]*)?)$/,
      'must be an https address',
    )
    .optional(),
  PARLANCE_OIDC_CLIENT_ID: z.string().max(200).optional(),
  /** File with the client secret, so that it is not in the environment. */
  PARLANCE_OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  PARLANCE_OIDC_SCOPE: z
    .string()
    .regex(/^(.* )?openid( .*)?$/, 'must contain openid')
    .default('openid profile email'),
  /** Creates users at their first sign-in by the provider. */
  PARLANCE_OIDC_CREATE_USERS: flag(true),
  /** Links the user who has the same mail address, if the provider has verified it. */
  PARLANCE_OIDC_LINK_BY_EMAIL: flag(false),
  /** Claim whose values decide about the teams of PARLANCE_OIDC_TEAMS. */
  PARLANCE_OIDC_TEAMS_CLAIM: z.string().max(200).default('groups'),
  /** Teams by value of the claim: `translators=7,reviewers=9`, with the ids of the teams. */
  PARLANCE_OIDC_TEAMS: z
    .string()
    .default('')
    .refine((text) => text === '' || /^[^,=]+=\d{1,15}(,[^,=]+=\d{1,15})*$/.test(text), 'must look like name=7,other=9')
    .transform(
      (text) =>
        new Map(
          text
            .split(',')
            .filter(Boolean)
            .map((pair) => [pair.split('=')[0]!.trim(), Number(pair.split('=')[1])]),
        ),
    ),
  /** Address of the site, for links in mails. */
  PARLANCE_PUBLIC_URL: siteAddress().default('http://localhost:8080'),
});
export type Config = z.infer<typeof settings>;

export const readConfig = (env?: Record<string, string | undefined>): Config => loadConfig(settings, env);
