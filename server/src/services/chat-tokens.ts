import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "#base";
import { unauthenticated } from "#status";

/** What a chat token grants: one session of one deployment. */
interface ChatGrant {
  readonly session: string;
  readonly deployment: string;
  /** Web origin of the page that requested it; "" when no page did. */
  readonly origin: string;
}

interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface ChatTokens {
  issue(grant: ChatGrant): IssuedToken;
  /** The grant of a bearer token; undefined when it is no chat token. Throws UNAUTHENTICATED for a chat token that is not valid. */
  verify(token: string): ChatGrant | undefined;
}

interface ChatTokensDeps {
  /** Key of the signature, 32 bytes. Whoever has it can issue tokens. */
  readonly key: Uint8Array;
  readonly clock: Clock;
  /** Lifetime of a token, milliseconds. Default 3,600,000: a conversation, not a day. */
  readonly lifetimeMs?: number;
}

/** Distinguishes chat tokens from the tokens of other systems, and this format from later ones. */
const PREFIX = "fdchat1";

interface Claims extends ChatGrant {
  readonly expiresAt: number;
}

/** Creates the issuer and verifier of chat tokens (WIRE-5): `fdchat1.{claims as JSON}.{HMAC-SHA256}`, both in base64url. Nothing is stored. */
export function createChatTokens({ key, clock, lifetimeMs = 3_600_000 }: ChatTokensDeps): ChatTokens {
  const sign = (text: string): Buffer => createHmac("sha256", key).update(text).digest();
  return {
    issue({ session, deployment, origin }) {
      const claims: Claims = { session, deployment, origin, expiresAt: clock.now() + lifetimeMs };
      const signed = `${PREFIX}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      return { token: `${signed}.${sign(signed).toString("base64url")}`, expiresAt: claims.expiresAt };
    },
    verify(token) {
      const [prefix, claims = "", signature = "", ...more] = token.split(".");
      if (prefix !== PREFIX) return undefined;
      const expected = sign(`${PREFIX}.${claims}`);
      const given = Buffer.from(signature, "base64url");
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw unauthenticated("The chat token was not issued by this server.", { reason: "CHAT_TOKEN_INVALID" });
      }
      // The signature is valid, so `issue` wrote these claims.
      const { expiresAt, ...grant } = JSON.parse(Buffer.from(claims, "base64url").toString()) as Claims;
      if (expiresAt <= clock.now()) {
        throw unauthenticated("The chat token has expired. Ask for a new one with GenerateChatToken.", {
          reason: "CHAT_TOKEN_EXPIRED",
        });
      }
      return grant;
    },
  };
}
