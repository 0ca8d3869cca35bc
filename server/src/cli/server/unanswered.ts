import { Code, ConnectError } from "#status";

/** Whether nobody answered a call: it may have been carried out. What a server refuses, it answers. */
export function isUnanswered(error: unknown): error is ConnectError {
  return error instanceof ConnectError && (error.code === Code.Unavailable || isCutOff(error));
}

/** Whether the connection was lost before the answer came. */
export function isCutOff({ cause }: ConnectError): boolean {
  return cause instanceof Error && "code" in cause && LOST.has(String(cause.code));
}

/** Node's codes of connections that end before their time. */
const LOST: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);
