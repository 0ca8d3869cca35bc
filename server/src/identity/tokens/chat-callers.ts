import { ANONYMOUS, type Caller } from "#base";
import { ConnectError } from "#status";
import type { ChatTokens } from "./chat-tokens.ts";
import type { TokenVerifier } from "./token-verifier.ts";

/**
 * End users with chat tokens. One whose token is not valid is anonymous here: the session methods say what is wrong, and the method that issues
 * tokens has to be callable with an old one (WIRE-5).
 */
export function createChatCallers(tokens: ChatTokens): TokenVerifier {
  return {
    async verify(token) {
      if (!token.startsWith("fdchat1.")) return undefined;
      try {
        return callerOf(tokens.verify(token));
      } catch (error) {
        if (error instanceof ConnectError) return ANONYMOUS;
        throw error;
      }
    },
  };
}

function callerOf(grant: ReturnType<ChatTokens["verify"]>): Caller | undefined {
  if (!grant) return undefined;
  const { session, expiresAt, ...claims } = grant;
  return Object.freeze({
    ...ANONYMOUS,
    ...{
      kind: "chatToken",
      principal: `chatToken:${session}`,
      within: [session],
      claims: { session, ...claims },
      expiresAt,
    },
  } as const);
}
