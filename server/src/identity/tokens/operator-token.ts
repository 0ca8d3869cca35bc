import { randomBytes, timingSafeEqual } from "node:crypto";
import { type Caller, OPERATOR, type Peer } from "#base";
import { invalidToken } from "../refusals.ts";

/**
 * The token of whoever can read the data folder, for commands on this machine (AUTH-18). It is made anew by each start, is good for connections
 * from this machine only, and is written to a file that its owner alone can read.
 */
export interface OperatorToken {
  readonly text: string;
  isForm(token: string): boolean;
  /** Throws UNAUTHENTICATED. */
  verify(token: string, peer: Peer): Caller;
}

const PREFIX = "fdop1.";

/** `isOwn`: whether an address is this server's own, from which only this machine can connect. */
export function createOperatorToken(isOwn: (address: string) => boolean): OperatorToken {
  const text = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  return {
    text,
    isForm: (token) => token.startsWith(PREFIX),
    verify(token, { address }) {
      const [given, expected] = [Buffer.from(token), Buffer.from(text)];
      if (given.length === expected.length && timingSafeEqual(given, expected)) {
        if (isLocal(address) || isOwn(address)) return OPERATOR;
      }
      throw invalidToken("The token of the operator is of another start of the server, or of another machine.");
    },
  };
}

function isLocal(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}
