export { reasons, type Reason, type ReasonInfo } from './reasons';
export {
  ServiceError,
  fieldErrors,
  hasProblem,
  isServiceError,
  joinProblems,
  collectProblems,
  throwIfInvalid,
  type FieldProblem,
} from './service-error';
export { toServiceError, decodeProblems, encodeProblems, fromGrpc, toGrpc, ERROR_METADATA_KEY } from './grpc';
export { isOutage } from './outage';
