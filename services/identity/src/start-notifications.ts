import { signCaller, type Caller } from '@parlance/access';
import type { EventBus } from '@parlance/events';
import { createClient, type Client, type Tls } from '@parlance/grpc-kit';
import { logger } from '@parlance/telemetry';
import { followHistory } from './app/notifications/follow-history';
import type { Deps } from './app/deps';
import type { NotifyDeps } from './app/notifications/notify';
import { sendMails } from './app/notifications/send-mails';
import { sendSummaries } from './app/notifications/summarize';
import type { Config } from './config';
import type { ProgressStore } from './domain/ports';
import { notificationConsumer } from './consumers/notification-consumer';
import { notificationContextClient } from './clients/notification-context-client';
import { smtpTransport } from './mail/smtp';

/** Interval of reading the history and sending mails, in milliseconds. */
const EVERY_MS = 15_000;
/** Lifetime of a caller that is signed for one call on behalf of a user, in milliseconds. */
const SIGNED_FOR_MS = 60_000;

/** Periodic work on notifications. */
export interface Notifications {
  /** Runs one round: prepares mails for new changes and sends due ones. */
  once(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the periodic work on notifications. Without the addresses of translation and statistics it only sends queued mails. */
export async function startNotifications(
  config: Config,
  progress: ProgressStore,
  bus: EventBus,
  identity: Deps,
  { catalog, tls, ownCaller }: { catalog: Client<'catalog'>; tls: Tls | undefined; ownCaller: () => string },
): Promise<Notifications> {
  const { TRANSLATION_ADDRESS: translationAddress, STATISTICS_ADDRESS: statisticsAddress } = config;
  const transport = config.PARLANCE_SMTP_URL
    ? await smtpTransport(config.PARLANCE_SMTP_URL, config.PARLANCE_MAIL_FROM)
    : undefined;
  const closing: (() => void)[] = [() => transport?.close()];
  let notifier: NotifyDeps | undefined;
  if (translationAddress && statisticsAddress) {
    const translation = createClient('translation', translationAddress, tls);
    const statistics = createClient('statistics', statisticsAddress, tls);
    closing.push(
      () => translation.close(),
      () => statistics.close(),
    );
    const sign = (caller: Caller) => signCaller(caller, config.PARLANCE_SERVICE_SECRET, SIGNED_FOR_MS);
    const context = notificationContextClient({ catalog, translation, statistics, ownCaller, sign });
    notifier = { deps: identity, context, siteUrl: config.PARLANCE_PUBLIC_URL };
    await bus.consume({
      durable: 'identity-notifications',
      payloads: ['changeMade'],
      handle: notificationConsumer(notifier),
    });
  } else {
    logger.warn('notifications disabled: TRANSLATION_ADDRESS or STATISTICS_ADDRESS is not set');
  }
  const round = async () => {
    if (notifier) {
      while (!(await followHistory(notifier, progress)));
      await sendSummaries(notifier, progress);
    }
    await sendMails(identity, transport);
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= round()
      .catch((error: unknown) => logger.warn({ err: error }, 'notification round failed, the next one retries'))
      .finally(() => (running = undefined));
  }, EVERY_MS);
  timer.unref();
  return {
    once: round,
    async stop() {
      clearInterval(timer);
      await running;
      for (const close of closing) close();
    },
  };
}
