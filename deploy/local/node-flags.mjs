/**
 * Flags of Node.js for every process; ../container/parlance-process has the same ones.
 *
 * - V8 collects feedback from the first call: requests after a start are about a fifth faster.
 * - The heap may double before it is collected. By default V8 collects when memory grew by about 15 MB, and buffers of files count: four
 *   downloads of a megabyte cost the gateway one collection of everything.
 */
export const nodeFlags = ['--no-lazy-feedback-allocation', '--heap-growing-percent=100'];
