// Maintenance mode delays or rejects work on purpose, so alerts on this work are silent meanwhile.

/**
 * A condition that does not hold while maintenance mode is on, or was on within a window. Without the metric it holds.
 *
 * @param {string} condition PromQL
 * @param {string} window for instance 10m
 */
export const unlessMaintenance = (condition, window) =>
  `${condition} unless on() max(max_over_time(parlance_maintenance[${window}])) == 1`;

/** The condition of an alert without what silences it. */
export const withoutMaintenance = (expr) =>
  expr.replace(/ unless on\(\) max\(max_over_time\(parlance_maintenance\[\w+\]\)\) == 1/g, '');
