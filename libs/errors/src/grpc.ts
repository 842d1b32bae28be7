import { Metadata, status, type ServiceError as GrpcError } from '@grpc/grpc-js';
import { isOutage } from './outage';
import { reasons, type Reason } from './reasons';
import { ServiceError, isServiceError, type FieldProblem } from './service-error';

/** Metadata key that carries reason and problems beside the status. */
export const ERROR_METADATA_KEY = 'parlance-error-bin';

/** Metadata has a size limit: longer lists of problems are cut. In bytes. */
const MAX_PROBLEM_BYTES = 6000;

/** The first problems, as many as fit into metadata. */
function bounded(all: readonly FieldProblem[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  let size = 0;
  for (const p of all) {
    size += 60 + p.detail.length + (p.attr?.length ?? 0);
    if (size > MAX_PROBLEM_BYTES) break;
    problems.push(p);
  }
  return problems;
}

/** Encodes problems for the metadata of a call. */
export function encodeProblems(problems: readonly FieldProblem[]): Buffer {
  return Buffer.from(JSON.stringify(bounded(problems)));
}

/** @throws INVALID when the bytes hold no list of problems */
export function decodeProblems(bytes: Buffer): FieldProblem[] {
  const problems: unknown = JSON.parse(bytes.toString('utf8'));
  if (!Array.isArray(problems)) throw new ServiceError('INVALID');
  return problems as FieldProblem[];
}

/** The error itself if it is a ServiceError; otherwise UNAVAILABLE for an outage of a dependency and INTERNAL for a defect. */
export function toServiceError(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  return new ServiceError(isOutage(error) ? 'UNAVAILABLE' : 'INTERNAL', { cause: error });
}

/** Encodes an error as a gRPC status. Errors other than ServiceErrors become UNAVAILABLE or INTERNAL, without their text. */
export function toGrpc(error: unknown): { code: status; details: string; metadata: Metadata } {
  const known = toServiceError(error);
  const problems = bounded(known.problems);
  const metadata = new Metadata();
  const { reason, retryAfterSeconds } = known;
  metadata.set(ERROR_METADATA_KEY, Buffer.from(JSON.stringify({ reason, problems, retryAfterSeconds })));
  return { code: known.info.grpc, details: known.message.slice(0, 1000), metadata };
}

const byStatus: Partial<Record<status, Reason>> = {
  [status.NOT_FOUND]: 'NOT_FOUND',
  [status.PERMISSION_DENIED]: 'PERMISSION_DENIED',
  [status.UNAUTHENTICATED]: 'NOT_AUTHENTICATED',
  [status.INVALID_ARGUMENT]: 'INVALID',
  [status.ABORTED]: 'CONFLICT',
  [status.UNAVAILABLE]: 'UNAVAILABLE',
  [status.DEADLINE_EXCEEDED]: 'DEADLINE_EXCEEDED',
  [status.CANCELLED]: 'UNAVAILABLE',
};

/**
 * Statuses that @grpc/grpc-js derives from a broken stream. Their names suggest a defect, but the server died during the call or had too
 * many connections.
 */
const BROKEN_STREAM = /^(?:Received RST_STREAM with code |Bandwidth exhausted or memory limit exceeded$)/;

/** Decodes the failure of a call. Handlers always send metadata; a failure without it comes from the connection. */
export function fromGrpc(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  const grpcError = error as Partial<GrpcError>;
  const raw = grpcError.metadata?.get(ERROR_METADATA_KEY)[0];
  if (Buffer.isBuffer(raw)) {
    try {
      const { reason, ...sent } = JSON.parse(raw.toString('utf8')) as {
        reason: Reason;
        problems: FieldProblem[];
        retryAfterSeconds?: number;
      };
      if (Object.hasOwn(reasons, reason)) {
        return new ServiceError(reason, { message: grpcError.details, ...sent, cause: error });
      }
    } catch {
      // Foreign metadata: the status below decides.
    }
  }
  const broken = BROKEN_STREAM.test(grpcError.details ?? '');
  const reason =
    (broken && 'UNAVAILABLE') ||
    (typeof grpcError.code === 'number' && byStatus[grpcError.code as status]) ||
    toServiceError(error).reason;
  return new ServiceError(reason, { cause: error });
}
