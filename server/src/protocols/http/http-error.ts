import type { ErrorBody } from "#status";

/** A refusal that HTTP knows and RPC does not: no such path, wrong verb, body too large. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  /** `status` is the canonical name that stands in the body beside the HTTP status. */
  constructor(httpStatus: number, status: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.body = { error: { code: httpStatus, message, status } };
    this.headers = headers;
  }
}

/** 413. The connection is of no more use, since the rest of the body is still coming. */
export function tooLarge(limit: number): HttpError {
  return new HttpError(413, "INVALID_ARGUMENT", `Request payload size exceeds the limit: ${limit} bytes.`);
}

/** 408. */
export function tooSlow(limitMs: number): HttpError {
  return new HttpError(408, "DEADLINE_EXCEEDED", `The request body did not arrive within ${limitMs} ms.`);
}
