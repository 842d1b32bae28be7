/** Length of a clock tick in /proc/PID/stat in milliseconds: Linux shows 100 ticks a second to programs on every architecture. */
const TICK_MS = 10;

/**
 * Processor time in the text of /proc/PID/stat, in milliseconds and steps of a tick: of the process with the threads that ended, and of
 * the child processes that ended and were waited for, with theirs.
 * @param {string} text
 */
export function timesInStat(text) {
  // The name in parentheses may contain spaces and parentheses. The third field of the file follows it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  return { own: (user + system) * TICK_MS, endedChildren: (childUser + childSystem) * TICK_MS };
}
