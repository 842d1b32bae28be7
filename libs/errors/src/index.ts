export { reasons, type Reason, type ReasonInfo } from './reasons';
export {
  ServiceError,
  fieldErrors,
  isKnown,
  isServiceError,
  joinProblems,
  noting,
  throwIfInvalid,
  type FieldProblem,
} from './service-error';
export { decodeProblems, encodeProblems, fromGrpc, toGrpc, ERROR_METADATA_KEY } from './grpc';
export { isOutage } from './outage';
