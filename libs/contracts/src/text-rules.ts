/** Entry point without zod, for worker threads with little memory. */
export { textProblem } from './settings/text-rules';
