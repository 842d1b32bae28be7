import type { DeadLetter, DeadLetterFilter, EventBus } from '@parlance/events';
import { Command, Option } from 'commander';
import type { Session } from '../session';
import { isoOrNull, formatTime, position, table } from '../table';

interface Selection {
  service?: string;
  id?: string;
  sequence?: number;
}

interface Chosen extends Selection {
  all?: boolean;
  json?: boolean;
}

/** Commands for events that consumers could not handle. They connect to the event server, not to a service. */
export function eventsCommand(session: Session): Command {
  const dead = new Command('dead')
    .description('Lists, shows, replays and drops dead letters: events that a service could not handle.')
    .addCommand(listCommand(session))
    .addCommand(showCommand(session))
    .addCommand(replayCommand(session))
    .addCommand(dropCommand(session));
  return new Command('events').description('Operates the event streams.').addCommand(dead);
}

function listCommand(session: Session): Command {
  return new Command('list')
    .description('Lists dead letters, the oldest first.')
    .option('--service <name>', 'only those of this service')
    .option('--id <event>', 'only those of this event')
    .option('--json', 'print JSON')
    .action(async (options: Selection & { json?: boolean }) => {
      const letters = await withBus(session, async ({ deadLetters }) => {
        const found: DeadLetter[] = [];
        for await (const letter of deadLetters.list(filterOf(options))) found.push(letter);
        return found;
      });
      const now = Date.now();
      session.print(
        letters.map((letter) => toJson(letter, now)),
        options,
        () => (letters.length === 0 ? 'There are no dead letters.' : toTable(letters, now)),
      );
    });
}

function showCommand(session: Session): Command {
  return new Command('show')
    .argument('<sequence>', 'position, as `list` prints it', position)
    .description('Shows a dead letter with the content of its event.')
    .option('--json', 'print JSON')
    .action(async (sequence: number, options: { json?: boolean }) => {
      const found = await withBus(session, ({ deadLetters }) => deadLetters.get(sequence));
      if (!found) throw new Error(`There is no dead letter ${sequence}.`);
      const { letter, event } = found;
      const content = event && {
        source: event.source,
        payload: event.payloadName,
        key: event.key,
        fields: event.payload,
      };
      const shown = { ...toJson(letter, Date.now()), event: content };
      session.print(shown, options, (value) =>
        Object.entries(value)
          .map(([name, field]) => `${name}: ${typeof field === 'object' ? JSON.stringify(field) : field}`)
          .join('\n'),
      );
    });
}

/** Adds the options that select dead letters; one of them is required. */
function withSelection(command: Command): Command {
  return command
    .option('--all', 'every dead letter')
    .addOption(new Option('--service <name>', 'those of this service').conflicts('all'))
    .addOption(new Option('--id <event>', 'those of this event').conflicts('all'))
    .addOption(
      new Option('--sequence <sequence>', 'the one at this position, as `list` prints it')
        .argParser(position)
        .conflicts('all'),
    )
    .option('--json', 'print JSON');
}

function requireSelection(command: Command, { all, service, id, sequence }: Chosen): void {
  if (!all && service === undefined && id === undefined && sequence === undefined)
    command.error('error: give --all, --service, --id or --sequence');
}

function dropCommand(session: Session): Command {
  return withSelection(new Command('drop'))
    .description('Deletes dead letters. What their events should have caused never happens.')
    .addHelpText('after', '\nExample:\n  parlance events dead drop --id 6f1e2c1a-7d6c-4b5e-9a3f-0d2b1c4e5f60')
    .action(async (options: Chosen, command: Command) => {
      requireSelection(command, options);
      const dropped = await withBus(session, ({ deadLetters }) => deadLetters.drop(filterOf(options)));
      session.print({ dropped }, options, () => `Dropped ${dropped} dead letters.`);
    });
}

function replayCommand(session: Session): Command {
  return withSelection(new Command('replay'))
    .description(
      'Publishes the events of dead letters again. Every consumer of an event receives it, so all its dead letters are removed.',
    )
    .addHelpText('after', '\nExample:\n  parlance events dead replay --service vcs-worker')
    .action(async (options: Chosen, command: Command) => {
      requireSelection(command, options);
      const result = await withBus(session, ({ deadLetters }) => deadLetters.replay(filterOf(options)));
      session.print({ ...result, left: result.matched - result.replayed }, options, summaryOfReplay);
    });
}

const summaryOfReplay = ({
  matched,
  replayed,
  others,
  left,
}: Record<'matched' | 'replayed' | 'others' | 'left', number>) =>
  [
    `Replayed ${replayed} of ${matched} dead letters.`,
    ...(others > 0 ? [`Removed ${others} of other consumers for the same events.`] : []),
    ...(left > 0 ? [`${left} cannot be decoded and remain.`] : []),
  ].join(' ');

async function withBus<T>(session: Session, act: (bus: EventBus) => Promise<T>): Promise<T> {
  const bus = await session.environment.connectEvents();
  try {
    return await act(bus);
  } finally {
    await bus.close();
  }
}

const filterOf = ({ service, id, sequence }: Selection): DeadLetterFilter => ({
  ...(service === undefined ? {} : { service }),
  ...(id === undefined ? {} : { eventId: id }),
  ...(sequence === undefined ? {} : { sequence }),
});

const ageSeconds = (letter: DeadLetter, now: number): number =>
  Math.max(0, Math.round((now - letter.deadSinceMs) / 1000));

const toJson = (letter: DeadLetter, now: number) => ({
  sequence: letter.sequence,
  subject: letter.subject,
  event_id: letter.eventId || null,
  time: isoOrNull(letter.timeMs),
  service: letter.service,
  consumer: letter.consumer,
  attempts: letter.attempts,
  error: letter.error,
  dead_since: isoOrNull(letter.deadSinceMs),
  age_seconds: ageSeconds(letter, now),
});

/** The two largest units of a duration. */
function duration(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
  return `${Math.floor(seconds / 86_400)}d ${Math.floor((seconds % 86_400) / 3600)}h`;
}

function toTable(letters: readonly DeadLetter[], now: number): string {
  return table(
    ['sequence', 'subject', 'event', 'time', 'service', 'attempts', 'age', 'error'],
    letters.map((letter) => [
      String(letter.sequence),
      letter.subject,
      letter.eventId || '-',
      letter.timeMs === 0 ? '-' : formatTime(letter.timeMs),
      letter.service,
      letter.attempts === 0 ? '-' : String(letter.attempts),
      duration(ageSeconds(letter, now)),
      letter.error,
    ]),
  );
}
