export { reasons, type Reason, type ReasonInfo } from './reasons';
export { ServiceError, fieldErrors, isServiceError, type FieldProblem } from './service-error';
export { fromGrpc, toGrpc, ERROR_METADATA_KEY } from './grpc';
