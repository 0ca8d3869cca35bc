import type { Clock } from "#base";
import { unauthenticated } from "#status";
import { createSignedClaims } from "./signed-claims.ts";

/** What a chat token grants: one session of one deployment. */
interface ChatGrant {
  readonly session: string;
  readonly deployment: string;
  /** Web origin of the page that requested it; "" when no page did. */
  readonly origin: string;
  /** Whether who requested it had no right to talk but the deployment's: it opens no session that began otherwise. Default false. */
  readonly isPublic?: boolean;
}

interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Tokens with which the end user of a widget talks in one session. Nothing of them is stored. */
export interface ChatTokens {
  issue(grant: ChatGrant): IssuedToken;
  /** What a bearer token grants; undefined when it is no chat token. Throws UNAUTHENTICATED for a chat token that is not valid. */
  verify(token: string): ChatClaims | undefined;
}

interface ChatTokensDeps {
  /** Key of the signature, 32 bytes. Whoever has it can issue tokens. */
  readonly key: Uint8Array;
  readonly clock: Clock;
  /** Lifetime of a token, milliseconds. Default 3,600,000: a conversation, not a day. */
  readonly lifetimeMs?: number;
}

/** What a chat token grants, and until when: milliseconds since the epoch. */
interface ChatClaims extends ChatGrant {
  readonly expiresAt: number;
}

/** Creates the issuer and verifier of chat tokens (WIRE-5), which are `fdchat1.…`. */
export function createChatTokens({ key, clock, lifetimeMs = 3_600_000 }: ChatTokensDeps): ChatTokens {
  const signed = createSignedClaims<ChatClaims>("fdchat1", key);
  return {
    issue({ session, deployment, origin, isPublic }) {
      const expiresAt = clock.now() + lifetimeMs;
      const claims: ChatClaims = { session, deployment, origin, ...(isPublic && { isPublic }), expiresAt };
      return { token: signed.sign(claims), expiresAt: claims.expiresAt };
    },
    verify(token) {
      const claims = signed.read(token);
      if (claims === "other") return undefined;
      if (claims === "forged")
        throw unauthenticated("The chat token was not issued by this server.", { reason: "CHAT_TOKEN_INVALID" });
      if (claims.expiresAt <= clock.now()) {
        throw unauthenticated("The chat token has expired. Ask for a new one with GenerateChatToken.", {
          reason: "CHAT_TOKEN_EXPIRED",
        });
      }
      return claims;
    },
  };
}
