/** Processes that serve gRPC. */
export const services = ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks'];
/** Processes of an installation; each has an image of its own. */
export const processes = ['gateway', ...services];
