export { isPublicAddress } from './addresses';
export { OutgoingError, type OutgoingProblem } from './errors';
export { send, type Answer, type OutgoingRequest } from './send';
