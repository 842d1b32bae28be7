import { processes as started } from './local/processes.mjs';

/** Processes of an installation; each has an image of its own. */
export const processes = Object.keys(started);
/** Processes that serve gRPC. */
export const services = processes.filter((name) => name !== 'gateway');
