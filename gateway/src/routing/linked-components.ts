import type { Call } from './call';

/** Ids of the visible components of other projects that the project in the path shows; its statistics include them. */
export const linkedComponents = (call: Call): Promise<number[]> =>
  call.directory.componentIdsIn(
    { caller: call.caller, signed: call.options.as as string },
    { projectId: call.project.id, onlyLinks: true },
  );
