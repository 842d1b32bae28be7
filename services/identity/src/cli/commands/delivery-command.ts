import type { hooks } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { Command, Option } from 'commander';
import { componentNames } from '../component-names';
import type { Session } from '../session';
import { count, formatTime, isoOrNull, table } from '../table';

const STATES = ['pending', 'delivered', 'failed'] as const;
type State = (typeof STATES)[number];
const stateToProto = {
  pending: 'DELIVERY_STATE_PENDING',
  delivered: 'DELIVERY_STATE_DELIVERED',
  failed: 'DELIVERY_STATE_FAILED',
} as const;

/** What a delivery belongs to, as the API names it. */
interface Origin {
  /** Add-on: `/api/addons/ID/`. Null: a webhook without one. */
  addon: number | null;
  /** `project/component`. Null: a webhook of a project or of the site. */
  component: string | null;
}

const toOutboundRow = (delivery: hooks.Delivery__Output, origins: ReadonlyMap<number, Origin>) => ({
  id: delivery.id,
  subscription: delivery.subscriptionId,
  addon: origins.get(delivery.subscriptionId)?.addon ?? null,
  component: origins.get(delivery.subscriptionId)?.component ?? null,
  state: delivery.state.replace('DELIVERY_STATE_', '').toLowerCase(),
  action: delivery.action,
  change: delivery.changeId,
  attempts: delivery.attempts,
  created: isoOrNull(delivery.createdMs),
  next_attempt: isoOrNull(delivery.nextAttemptMs),
  last_status: delivery.lastStatus || null,
  last_error: delivery.lastError || null,
});

const toInboundRow = (delivery: hooks.InboundDelivery__Output, names: ReadonlyMap<number, string>) => ({
  id: delivery.id,
  provider: delivery.provider,
  received: isoOrNull(delivery.receivedMs),
  source_address: delivery.sourceAddress || null,
  repository: delivery.fullName || null,
  branch: delivery.branch || null,
  verified: delivery.verified,
  components: delivery.componentIds.flatMap((id) => names.get(id) ?? []),
  tasks: delivery.taskIds,
});

/** Commands for webhooks that Parlance sends. */
export function webhookCommand(session: Session): Command {
  return new Command('webhook')
    .description('Lists deliveries of outbound webhooks and sends them again.')
    .addCommand(
      new Command('list')
        .description('Lists deliveries of 30 days, the newest first.')
        .addOption(new Option('--state <name>', 'only deliveries in this state').choices(STATES))
        .option('--limit <number>', 'how many', count, 50)
        .option('--json', 'print JSON')
        .addHelpText('after', '\nExample:\n  parlance webhook list --state failed')
        .action((options: { state?: State; limit: number; json?: boolean }) => listOutbound(session, options)),
    )
    .addCommand(
      new Command('redeliver')
        .argument('<id>', 'delivery, as `list` prints it')
        .description('Sends a delivery again, with the same id: receivers can recognize it.')
        .option('--json', 'print JSON')
        .action(async (id: string, options: { json?: boolean }) => {
          const { delivery } = await session.system.service('hooks').retryDelivery({ id }, session.system.as);
          const row = toOutboundRow(delivery!, await originsOf(session, [delivery!]));
          session.print(row, options, () => `The delivery ${id} is sent again.`);
        }),
    );
}

/** Origins by subscription; deleted ones are missing. */
async function originsOf(
  session: Session,
  deliveries: readonly hooks.Delivery__Output[],
): Promise<Map<number, Origin>> {
  const { as } = session.system;
  const found: hooks.Subscription__Output[] = [];
  for (const id of new Set(deliveries.map(({ subscriptionId }) => subscriptionId)))
    try {
      found.push((await session.system.service('hooks').getSubscription({ id }, as)).subscription!);
    } catch (error) {
      if (!isServiceError(error, 'NOT_FOUND')) throw error;
    }
  const names = await componentNames(
    session,
    found.map(({ componentId }) => componentId),
  );
  return new Map(
    found.map(({ id, addonId, componentId }) => [
      id,
      { addon: addonId || null, component: names.get(componentId) ?? null },
    ]),
  );
}

async function listOutbound(
  session: Session,
  options: { state?: State; limit: number; json?: boolean },
): Promise<void> {
  const { deliveries } = await session.system.service('hooks').listDeliveries(
    {
      page: { page: 1, pageSize: options.limit },
      ...(options.state === undefined ? {} : { state: stateToProto[options.state] }),
    },
    session.system.as,
  );
  const origins = await originsOf(session, deliveries);
  const rows = deliveries.map((delivery) => toOutboundRow(delivery, origins));
  session.print(rows, options, () =>
    rows.length === 0
      ? 'There are no such deliveries.'
      : table(
          ['id', 'add-on', 'component', 'state', 'attempts', 'created', 'status', 'error'],
          rows.map((row, i) => [
            row.id,
            String(row.addon ?? '-'),
            row.component ?? '-',
            row.state,
            String(row.attempts),
            formatTime(deliveries[i]!.createdMs),
            String(row.last_status ?? '-'),
            row.last_error ?? '-',
          ]),
        ),
  );
}

/** Commands for notifications of git hosts. */
export function hookCommand(session: Session): Command {
  return new Command('hook')
    .description('Lists notifications of git hosts that started pulls, and repeats them.')
    .addCommand(
      new Command('list')
        .description('Lists notifications of 30 days, the newest first.')
        .option('--limit <number>', 'how many', count, 50)
        .option('--json', 'print JSON')
        .action((options: { limit: number; json?: boolean }) => listInbound(session, options)),
    )
    .addCommand(
      new Command('redeliver')
        .argument('<id>', 'notification, as `list` prints it')
        .description('Starts the pulls of a notification again.')
        .option('--json', 'print JSON')
        .action(async (id: string, options: { json?: boolean }) => {
          const hooks = session.system.service('hooks');
          const { delivery } = await hooks.repeatInboundDelivery({ id }, session.system.as);
          const row = toInboundRow(delivery!, await componentNames(session, delivery!.componentIds));
          session.print(row, options, () => `Pulls started for ${row.components.join(', ')}.`);
        }),
    );
}

async function listInbound(session: Session, options: { limit: number; json?: boolean }): Promise<void> {
  const request = { page: { page: 1, pageSize: options.limit } };
  const { deliveries } = await session.system.service('hooks').listInboundDeliveries(request, session.system.as);
  const names = await componentNames(
    session,
    deliveries.flatMap(({ componentIds }) => componentIds),
  );
  const rows = deliveries.map((delivery) => toInboundRow(delivery, names));
  session.print(rows, options, () =>
    rows.length === 0
      ? 'There are no notifications.'
      : table(
          ['id', 'received', 'provider', 'repository', 'branch', 'components'],
          rows.map((row, i) => [
            row.id,
            formatTime(deliveries[i]!.receivedMs),
            row.provider,
            row.repository ?? '-',
            row.branch ?? '-',
            row.components.join(', ') || '-',
          ]),
        ),
  );
}
