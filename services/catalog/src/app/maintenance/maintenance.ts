import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { gauge, logger, refreshOnScrape } from '@parlance/telemetry';
import type { Maintenance, MaintenanceStore } from '../../domain/ports';
import type { Deps, RequestContext } from '../deps';
import { requireService } from '../visibility';

const DEFAULT_MESSAGE = 'The installation is read-only for maintenance. Retry later.';
const DEFAULT_RETRY_AFTER_SECONDS = 60;
/** Maximum length of the message, in characters. */
const MAX_MESSAGE = 500;
const MAX_RETRY_AFTER_SECONDS = 86_400;

const maintenanceOn = gauge('parlance_maintenance');

/** Maintenance mode as the operator requests it; '' and 0 are defaults. */
export interface MaintenanceRequest {
  on: boolean;
  message: string;
  retryAfterSeconds: number;
  /** Time after which the mode ends by itself, in milliseconds; 0: never. */
  durationMs: number;
}

/** @returns null: off @throws PERMISSION_DENIED */
export async function getMaintenance(
  { maintenance, now }: Pick<Deps, 'maintenance' | 'now'>,
  context: RequestContext,
): Promise<Maintenance | null> {
  requireService(context);
  return unexpired(await maintenance.get(), now());
}

const unexpired = (maintenance: Maintenance | null, nowMs: number): Maintenance | null =>
  maintenance && (maintenance.untilMs === 0 || maintenance.untilMs > nowMs) ? maintenance : null;

/** @returns null: off @throws PERMISSION_DENIED, INVALID on message and retry_after */
export async function setMaintenance(
  { maintenance, now }: Pick<Deps, 'maintenance' | 'now'>,
  context: RequestContext,
  { on, message, retryAfterSeconds, durationMs }: MaintenanceRequest,
): Promise<Maintenance | null> {
  requireService(context);
  if (!on) {
    await maintenance.remove();
    logger.info('maintenance mode: switched off');
    return null;
  }
  const wanted = {
    message: message.trim() || DEFAULT_MESSAGE,
    retryAfterSeconds: retryAfterSeconds || DEFAULT_RETRY_AFTER_SECONDS,
    sinceMs: now(),
    untilMs: durationMs > 0 ? now() + durationMs : 0,
  };
  const problems = findProblems(wanted);
  if (problems.length > 0) throw fieldErrors(problems);
  if (!unexpired(await maintenance.get(), now())) await maintenance.remove();
  const stored = await maintenance.put(wanted);
  logger.info('maintenance mode: switched on');
  return stored;
}

function findProblems({ message, retryAfterSeconds }: Maintenance): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (message.length > MAX_MESSAGE)
    problems.push({
      attr: 'message',
      code: 'max_length',
      detail: `"message" must have at most ${MAX_MESSAGE} characters.`,
    });
  if (retryAfterSeconds < 1 || retryAfterSeconds > MAX_RETRY_AFTER_SECONDS)
    problems.push({
      attr: 'retry_after',
      code: 'invalid',
      detail: `"retry_after" must be from 1 to ${MAX_RETRY_AFTER_SECONDS} seconds.`,
    });
  return problems;
}

/**
 * Reports the maintenance mode on scrape.
 * @returns stops reporting
 */
export function startMeasuringMaintenance(store: Pick<MaintenanceStore, 'get'>): () => void {
  return refreshOnScrape('maintenance', [maintenanceOn], async () => {
    maintenanceOn.set(unexpired(await store.get(), Date.now()) ? 1 : 0);
  });
}
