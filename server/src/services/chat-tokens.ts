import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "#base";
import { unauthenticated } from "#status";

/** What a chat token lets its bearer do: talk in one session of one deployment. */
export interface ChatGrant {
  readonly session: string;
  readonly deployment: string;
  /** Web origin of the page that asked for it; "" when no page did. */
  readonly origin: string;
}

export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface ChatTokens {
  issue(grant: ChatGrant): IssuedToken;
  /** The grant of a bearer token; undefined for one that is none of ours. Throws UNAUTHENTICATED for ours that does not hold. */
  read(token: string): ChatGrant | undefined;
}

export interface ChatTokensDeps {
  /** Signs; whoever has it can make tokens. 32 bytes. */
  readonly key: Uint8Array;
  readonly clock: Clock;
  /** Milliseconds that a token holds. Default 3,600,000: a conversation, not a day. */
  readonly lifetimeMs?: number;
}

/** Tells ours from the tokens of other systems, and this form from later ones. */
const PREFIX = "fdchat1";

interface Claims extends ChatGrant {
  readonly expiresAt: number;
}

/** Creates the maker and reader of tokens: `fdchat1.{claims as JSON}.{HMAC-SHA256}`, both in base64url. Nothing is stored. */
export function createChatTokens({ key, clock, lifetimeMs = 3_600_000 }: ChatTokensDeps): ChatTokens {
  const sign = (text: string): Buffer => createHmac("sha256", key).update(text).digest();
  return {
    issue({ session, deployment, origin }) {
      const claims: Claims = { session, deployment, origin, expiresAt: clock.now() + lifetimeMs };
      const signed = `${PREFIX}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      return { token: `${signed}.${sign(signed).toString("base64url")}`, expiresAt: claims.expiresAt };
    },
    read(token) {
      const [prefix, claims = "", signature = "", ...more] = token.split(".");
      if (prefix !== PREFIX) return undefined;
      const expected = sign(`${PREFIX}.${claims}`);
      const given = Buffer.from(signature, "base64url");
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw unauthenticated("The chat token is not one that this server made.", { reason: "CHAT_TOKEN_INVALID" });
      }
      // What is signed was written by `issue`.
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
