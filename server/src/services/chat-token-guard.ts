import { clone } from "@bufbuild/protobuf";
import { type SessionConfig, SessionConfigSchema } from "@frontdesk/protos/ces/session_service";
import type { CallContext } from "#rpc";
import { type ConnectError, permissionDenied } from "#status";
import type { ChatTokens } from "./chat-tokens.ts";
import { embeddedPage } from "./embedded-page.ts";

/** Holds a caller that shows a chat token to what it grants. */
export interface ChatTokenGuard {
  /**
   * The config as it may be used: a token's bearer who names no deployment gets the token's. Callers without a token, or with
   * one of another system, pass, unless they are a page that only its token lets in (`EMBEDDED_PAGE`). Throws UNAUTHENTICATED or PERMISSION_DENIED.
   */
  admit(config: SessionConfig, context: Pick<CallContext, "headers">): SessionConfig;
  /** Whether the caller shows a valid chat token: a visitor, not someone who works on the app. */
  recognises(context: Pick<CallContext, "headers">): boolean;
}

const BEARER = /^bearer +(?<token>\S+)$/i;

export function createChatTokenGuard(tokens: ChatTokens): ChatTokenGuard {
  const grantOf = ({ headers }: Pick<CallContext, "headers">) => {
    const token = BEARER.exec(headers.get("authorization") ?? "")?.groups?.token;
    return token === undefined ? undefined : tokens.read(token);
  };
  return {
    recognises: (context) => grantOf(context) !== undefined,
    admit(config, { headers }) {
      const grant = grantOf({ headers });
      const page = embeddedPage(headers);
      if (!grant && page !== undefined) throw tokenWanted(page);
      if (!grant) return config;
      if (page !== undefined && grant.origin !== page) throw denied(`pages of ${page}`);
      if (grant.session !== config.session) throw denied(`session '${config.session}'`);
      if (config.deployment && grant.deployment !== config.deployment)
        throw denied(`deployment '${config.deployment}'`);
      const origin = headers.get("origin") ?? "";
      if (grant.origin && origin && grant.origin !== origin) throw denied(`pages of ${origin}`);
      if (config.deployment) return config;
      const pinned = clone(SessionConfigSchema, config);
      pinned.deployment = grant.deployment;
      return pinned;
    },
  };
}

function tokenWanted(page: string): ConnectError {
  return permissionDenied(`Pages of ${page} talk with a chat token. Ask for one with GenerateChatToken.`, {
    reason: "CHAT_TOKEN_SCOPE",
  });
}

function denied(what: string): ConnectError {
  return permissionDenied(`The chat token is not for ${what}.`, { reason: "CHAT_TOKEN_SCOPE" });
}
