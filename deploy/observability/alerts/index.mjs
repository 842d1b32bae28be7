// Objectives and alerts. generate.mjs writes the rules of Prometheus and their tests from this folder.
import { engines } from './engines.mjs';
import { events } from './events.mjs';
import { git } from './git.mjs';
import { outgoing } from './outgoing.mjs';
import { processes } from './processes.mjs';

export { burnRates, slos, windows } from './objectives.mjs';

/**
 * Alerts on causes and on what no objective covers. runbook: page in docs/runbooks; test: input series for promtool that fire the
 * alert with `labels`, and one or several `quiet` ones that do not.
 */
export const alerts = [...processes, ...engines, ...events, ...git, ...outgoing];
