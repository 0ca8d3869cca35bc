import type { JsonObject } from "#base";

/** An answer of the token endpoint: a token, or an error (RFC 6749, 5). */
export interface TokenAnswer {
  readonly httpStatus: number;
  readonly body: JsonObject;
}

/** Answers a form that was sent to `/token`. Never rejects for what the client did wrong. */
export type TokenEndpoint = (form: URLSearchParams) => Promise<TokenAnswer>;
