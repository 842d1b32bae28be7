import type { ComponentScope } from '../directory/directory';
import type { Call } from './call';

/** Ids of the components in a scope that the caller may see. @throws NOT_FOUND for a hidden scope */
export const componentIdsIn = (call: Call, scope: ComponentScope): Promise<number[]> =>
  call.directory.componentIdsIn({ caller: call.caller, signed: call.options.as as string }, scope);

/** Those of other projects that the project in the path shows; its statistics include them. */
export const linkedComponents = (call: Call): Promise<number[]> =>
  componentIdsIn(call, { projectId: call.project.id, onlyLinks: true });
