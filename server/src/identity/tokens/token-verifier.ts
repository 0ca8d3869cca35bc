import type { Caller } from "#base";

/** Reads tokens of one form. */
export interface TokenVerifier {
  /** The caller; undefined for a token of another form. Throws UNAUTHENTICATED for a token of this form that is not valid. */
  verify(token: string): Promise<Caller | undefined>;
}
