import { context, ROOT_CONTEXT, trace, TraceFlags, type ContextManager } from '@opentelemetry/api';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { withContext } from './context';
import { logger } from './logger';

interface Schema {
  type?: string;
  enum?: string[];
  pattern?: string;
  required?: string[];
  properties?: Record<string, Schema>;
}

const page = readFileSync(join(__dirname, '../../../docs/logging.md'), 'utf8');
const schema = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!) as Schema;

/** Violations of the part of JSON Schema that the page uses. */
function violations(
  value: unknown,
  { type, enum: values, pattern, required, properties = {} }: Schema,
  at = '',
): string[] {
  if (type !== undefined && typeof value !== type) return [`${at} is no ${type}`];
  if (values && !values.includes(value as string)) return [`${at} is ${String(value)}`];
  if (pattern !== undefined && !new RegExp(pattern).test(value as string)) return [`${at} is ${String(value)}`];
  if (type !== 'object') return [];
  const object = value as Record<string, unknown>;
  return [
    ...(required ?? []).filter((name) => !(name in object)).map((name) => `${at}.${name} is missing`),
    ...Object.entries(properties).flatMap(([name, own]) =>
      name in object ? violations(object[name], own, `${at}.${name}`) : [],
    ),
  ];
}

/** Lines that some work writes to the log. */
function linesOf(work: () => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const { level } = logger;
  const stream = Reflect.get(logger, pino.symbols.streamSym) as { write: (line: string) => void };
  const sink = jest.spyOn(stream, 'write').mockImplementation((line) => void lines.push(line));
  logger.level = 'debug';
  try {
    work();
  } finally {
    logger.level = level;
    sink.mockRestore();
  }
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('the logger writes lines of the documented schema at every level', () => {
  const lines = linesOf(() => {
    logger.debug('test: some work');
    logger.info({ component: 7 }, 'test: some work');
    logger.warn({ err: new Error('unavailable', { cause: new TypeError('no answer') }) }, 'test: work failed');
    logger.error('test: work was given up');
    logger.fatal('test: the process ends');
  });
  expect(lines.map(({ level }) => level)).toEqual(schema.properties!['level']!.enum);
  expect(lines.flatMap((line) => violations(line, schema))).toEqual([]);
});

it('a log line names the request and the trace that caused it', () => {
  const spanContext = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: TraceFlags.SAMPLED,
  };
  const manager: ContextManager = {
    active: () => trace.setSpanContext(ROOT_CONTEXT, spanContext),
    disable: () => manager,
  } as ContextManager;
  context.setGlobalContextManager(manager);
  const [line] = linesOf(() => withContext({ requestId: 'r-1' }, () => logger.info('test: some work')));
  context.disable();
  expect(line).toMatchObject({ request_id: 'r-1', trace_id: spanContext.traceId, span_id: spanContext.spanId });
  expect(violations(line, schema)).toEqual([]);
});

it('the logger hides secrets', () => {
  const [line] = linesOf(() => logger.info({ token: 'parlance-token', password: 'p', secret: 's' }, 'test: some work'));
  expect(line).toMatchObject({ token: '[hidden]', password: '[hidden]', secret: '[hidden]' });
});
