import type { Permission } from '@parlance/access';
import type { CallContext } from '@parlance/grpc-kit';

/** The context of a call by user 7, with these permissions on all projects. */
export function contextOf(...permissions: Permission[]): CallContext {
  const caller = {
    userId: 7,
    username: '',
    fullName: '',
    email: '',
    isSuperuser: false,
    isBot: false,
    anonymous: false,
  };
  return {
    caller: { ...caller, grants: [{ permissions, projects: 'all' }] },
    callerToken: '',
    requestId: '',
    catalogGeneration: '',
    stringsGeneration: '',
    clientAddress: '',
    problems: [],
    deadlineMs: Date.now() + 60_000,
    signal: new AbortController().signal,
  };
}
