import { definedFields } from "#base";
import { type A2aReason, a2aReasonOf, Code, type ConnectError, toErrorBody } from "#status";

/** The error object of JSON-RPC. */
export interface JsonRpcFault {
  readonly code: number;
  readonly message: string;
  /** Details as Google's errors have them, each with its `@type`. */
  readonly data?: readonly object[];
}

/** Codes of JSON-RPC, and one of ours for callers that are not known or may not call. */
export const A2aCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  notPermitted: -32000,
} as const;

/** Codes of the protocol's own errors (A2A 1.0, section 5.4). */
const REASONS: Readonly<Record<A2aReason, number>> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
};

const CODES: Readonly<Partial<Record<Code, number>>> = {
  [Code.InvalidArgument]: A2aCode.invalidParams,
  [Code.OutOfRange]: A2aCode.invalidParams,
  [Code.NotFound]: A2aCode.invalidParams,
  [Code.FailedPrecondition]: REASONS.UNSUPPORTED_OPERATION,
  [Code.Unimplemented]: REASONS.UNSUPPORTED_OPERATION,
  [Code.Unauthenticated]: A2aCode.notPermitted,
  [Code.PermissionDenied]: A2aCode.notPermitted,
};

/** A status error as JSON-RPC has it (A2A-7). */
export function faultOf(error: ConnectError): JsonRpcFault {
  const reason = a2aReasonOf(error);
  const { message, details } = toErrorBody(error).error;
  const code = reason ? REASONS[reason] : (CODES[error.code] ?? A2aCode.internalError);
  return { code, message, ...definedFields({ data: details }) };
}
