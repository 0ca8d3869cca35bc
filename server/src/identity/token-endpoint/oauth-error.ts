import { Code, ConnectError } from "#status";
import type { TokenAnswer } from "./contract.ts";

/** Codes of RFC 6749, 5.2, the one of 4.1.2.1 for a server that cannot answer now, and those of device codes (RFC 8628, 3.5). */
type OAuthErrorCode =
  | "invalid_request"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "temporarily_unavailable"
  | "invalid_target"
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token";

/** An error of the token endpoint. Clients read the code, people the sentence. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The answer for an error; faults of this server are thrown on. */
export function errorAnswer(error: unknown): TokenAnswer {
  const { code, message } = asOAuthError(error);
  const httpStatus = code === "temporarily_unavailable" ? 503 : 400;
  return { httpStatus, body: { error: code, error_description: message } };
}

/** A credential that is refused elsewhere with UNAUTHENTICATED is an invalid grant here. */
function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof ConnectError && error.code === Code.Unauthenticated)
    return new OAuthError("invalid_grant", error.rawMessage);
  if (error instanceof ConnectError && error.code === Code.Unavailable)
    return new OAuthError("temporarily_unavailable", error.rawMessage);
  throw error;
}
