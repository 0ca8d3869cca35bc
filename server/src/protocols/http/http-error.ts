import type { ErrorBody } from "#status";
import type { RequestLimits } from "../contract.ts";

/** An error that HTTP has and RPC has not: no such path, method not allowed, body too large. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  /** `status` is the canonical name in the body, next to the HTTP status. */
  constructor(httpStatus: number, status: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.body = { error: { code: httpStatus, message, status } };
    this.headers = headers;
  }
}

/** 413 (WIRE-15). */
export function tooLarge({ maxBodyBytes, bytesWithCredential }: RequestLimits): HttpError {
  const remedy =
    bytesWithCredential === undefined ? "" : ` A caller with a credential may send ${bytesWithCredential} bytes.`;
  return new HttpError(
    413,
    "INVALID_ARGUMENT",
    `Request payload size exceeds the limit: ${maxBodyBytes} bytes.${remedy}`,
  );
}

/** 408. */
export function tooSlow(limitMs: number): HttpError {
  return new HttpError(408, "DEADLINE_EXCEEDED", `The request body did not arrive within ${limitMs} ms.`);
}
