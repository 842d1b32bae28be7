import type { Caller } from '@parlance/access';
import type { CallContext } from '@parlance/grpc-kit';
import { FileAdmission, type FileSender } from '@parlance/workload';

const MIB = 1024 * 1024;
/** In bytes. */
export const MAX_FILE_BYTES = 64 * MIB;
/** How long a user's file waits for memory, in milliseconds; shorter than the timeout of the request. */
const PERSON_WAIT_MS = 15_000;
/** The same for a service's file. */
const PROCESS_WAIT_MS = 240_000;

/** Memory limits for the files of requests, separate for users and services. */
export interface Admissions {
  people: FileAdmission;
  processes: FileAdmission;
}

/** @param memoryMb limit of each of the two */
export function makeAdmissions(memoryMb: number): Admissions {
  const totalBytes = memoryMb * MIB;
  return {
    people: new FileAdmission({ totalBytes, callerShare: 0.5, maxWaiting: 16, maxWaitMs: PERSON_WAIT_MS }),
    processes: new FileAdmission({ totalBytes, callerShare: 1, maxWaiting: 256, maxWaitMs: PROCESS_WAIT_MS }),
  };
}

/** Identifies the caller for the limits. */
export function senderOf({ caller, signal }: Pick<CallContext, 'caller' | 'signal'>): FileSender {
  return { caller: callerOf(caller), signal };
}

function callerOf({ service, userId, username }: Caller): string {
  return service ? `service ${service}` : `user ${userId} ${username}`;
}
