import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";

/** Domain of the reasons below (A2A 1.0, section 11.6). */
const DOMAIN = "a2a-protocol.org";

/** The errors that the A2A protocol has of its own, with their status codes (A2A 1.0, section 5.4). */
const CODES = {
  TASK_NOT_FOUND: Code.NotFound,
  TASK_NOT_CANCELABLE: Code.FailedPrecondition,
  PUSH_NOTIFICATION_NOT_SUPPORTED: Code.FailedPrecondition,
  UNSUPPORTED_OPERATION: Code.FailedPrecondition,
  CONTENT_TYPE_NOT_SUPPORTED: Code.InvalidArgument,
  INVALID_AGENT_RESPONSE: Code.Internal,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: Code.FailedPrecondition,
  EXTENSION_SUPPORT_REQUIRED: Code.FailedPrecondition,
  VERSION_NOT_SUPPORTED: Code.FailedPrecondition,
} as const satisfies Readonly<Record<string, Code>>;

export type A2aReason = keyof typeof CODES;

/** An error of the A2A protocol: its status code, with the reason that each binding renders in its own way. */
export function a2aError(
  reason: A2aReason,
  message: string,
  metadata: Readonly<Record<string, string>> = {},
): ConnectError {
  const detail = create(ErrorInfoSchema, { domain: DOMAIN, reason, metadata: { ...metadata } });
  return new ConnectError(message, CODES[reason], undefined, [{ desc: ErrorInfoSchema, value: detail }]);
}

/** VERSION_NOT_SUPPORTED: the caller speaks a version of the protocol that this server does not (A2A-3). */
export function a2aVersionNotSupported(version: string): ConnectError {
  const message = `Version ${version.slice(0, 20)} of A2A is not served here; 1.0 is, and 0.3 by JSON-RPC.`;
  return a2aError("VERSION_NOT_SUPPORTED", message, { supportedVersions: "1.0, 0.3" });
}

/** The reason of an error of the A2A protocol; undefined for any other error. */
export function a2aReasonOf(error: ConnectError): A2aReason | undefined {
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === DOMAIN);
  return info && Object.hasOwn(CODES, info.reason) ? (info.reason as A2aReason) : undefined;
}
