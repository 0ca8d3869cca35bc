/** Status errors (google.rpc.Status): one constructor per canonical code, with its details. */
export { Code, ConnectError } from "@connectrpc/connect";
export { type A2aReason, a2aError, a2aReasonOf, a2aVersionNotSupported } from "./a2a-errors.ts";
export { type ErrorBody, httpStatusOf, toErrorBody, toGrpcStatusName } from "./error-body.ts";
export { ifFound } from "./if-found.ts";
export { logFault } from "./log-fault.ts";
export { requirePackage } from "./require-package.ts";
export { fromRpcStatus, toRpcStatus } from "./rpc-status.ts";
export {
  aborted,
  alreadyExists,
  cancelled,
  challengeOf,
  deadlineExceeded,
  type ErrorReason,
  type FieldViolation,
  failedPrecondition,
  fieldViolationsOf,
  internal,
  invalidArgument,
  notFound,
  permissionDenied,
  quotaExceeded,
  reasonOf,
  resourceExhausted,
  retryAfterOf,
  retryMsOf,
  unauthenticated,
  unavailable,
  unimplemented,
  unsupported,
} from "./status-errors.ts";
export { isForLog, toStatusError } from "./to-status-error.ts";
