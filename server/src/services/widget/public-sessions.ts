import type { SessionConfig } from "@frontdesk/protos/ces/session_service";
import { bearerToken, type ChatTokens } from "#identity";
import type { CallContext } from "#rpc";
import type { Conversations } from "#session";
import { permissionDenied } from "#status";

/** Rejects a call that would go on with somebody else's session. */
export type CheckSession = (config: SessionConfig, context: Pick<CallContext, "headers">) => Promise<void>;

/**
 * Keeps pages without a right of their own to sessions that began with their token's deployment (WIRE-47): sessions of programs often have ids
 * that can be guessed, and have variables and a history of theirs. Asked before each turn, since a session may begin after the token was issued.
 */
export function createPublicSessionCheck(
  tokens: Pick<ChatTokens, "verify">,
  conversations: Pick<Conversations, "deploymentOf">,
): CheckSession {
  return async ({ session }, { headers }) => {
    const token = bearerToken(headers);
    const grant = token === undefined ? undefined : tokens.verify(token);
    if (!grant?.isPublic) return;
    const begunWith = await conversations.deploymentOf(session);
    if (begunWith === undefined || begunWith === grant.deployment) return;
    throw permissionDenied(
      `The session '${session}' did not begin with the deployment of the chat token. Begin one with an id that nobody has used.`,
      { reason: "CHAT_TOKEN_SCOPE" },
    );
  };
}
