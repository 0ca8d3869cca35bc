import { clone } from "@bufbuild/protobuf";
import { type SessionConfig, SessionConfigSchema } from "@frontdesk/protos/ces/session_service";
import { bearerToken, type ChatTokens } from "#identity";
import type { CallContext } from "#rpc";
import { type ConnectError, permissionDenied } from "#status";
import { embeddedPage } from "./embedded-page.ts";

/** Restricts callers with a chat token to what the token grants. */
export interface ChatTokenGuard {
  /**
   * Returns the config to use: a caller with a token gets the token's deployment and no diagnostic info. Callers without a chat token pass,
   * unless they are an embedding page, which needs one (`EMBEDDED_PAGE`). Throws UNAUTHENTICATED or PERMISSION_DENIED.
   */
  authorize(config: SessionConfig, context: Pick<CallContext, "headers">): SessionConfig;
  /** Whether the caller has a valid chat token: an end user of the app, not a developer. */
  hasChatToken(context: Pick<CallContext, "headers">): boolean;
}

/** Guards by what chat tokens grant: one session of one deployment, and the pages of one origin. */
export function createChatTokenGuard(tokens: ChatTokens): ChatTokenGuard {
  const grantOf = ({ headers }: Pick<CallContext, "headers">) => {
    const token = bearerToken(headers);
    return token === undefined ? undefined : tokens.verify(token);
  };
  return {
    hasChatToken: (context) => grantOf(context) !== undefined,
    authorize(config, { headers }) {
      const grant = grantOf({ headers });
      const page = embeddedPage(headers);
      if (!grant && page !== undefined) throw tokenRequired(page);
      if (!grant) return config;
      if (page !== undefined && grant.origin !== page) throw denied(`pages of ${page}`);
      if (grant.session !== config.session) throw denied(`session '${config.session}'`);
      if (config.deployment && grant.deployment !== config.deployment)
        throw denied(`deployment '${config.deployment}'`);
      const origin = headers.get("origin") ?? "";
      if (grant.origin && origin && grant.origin !== origin) throw denied(`pages of ${origin}`);
      const pinned = clone(SessionConfigSchema, config);
      pinned.deployment = grant.deployment;
      // Messages, trace and thoughts have what an end user must not see: instructions, tracebacks, variables, names of tools (WIRE-31).
      pinned.excludeDiagnosticInfo = true;
      pinned.includeProgressUpdate = false;
      pinned.includeLlmThoughtSummary = false;
      return pinned;
    },
  };
}

function tokenRequired(page: string): ConnectError {
  return permissionDenied(`Pages of ${page} need a chat token. Get one with GenerateChatToken.`, {
    reason: "CHAT_TOKEN_SCOPE",
  });
}

function denied(what: string): ConnectError {
  return permissionDenied(`The chat token is not for ${what}.`, { reason: "CHAT_TOKEN_SCOPE" });
}
