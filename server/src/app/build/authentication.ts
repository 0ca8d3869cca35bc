import { createEgress } from "#base";
import { type Authentication, type ChatTokens, createAuthentication, createChatTokens } from "#identity";
import { createKeyFiles } from "../keys/key-files.ts";
import { signingKey } from "../keys/signing-key.ts";
import type { Platform } from "./platform.ts";

/** Who calls, and the tokens of chat widgets. */
interface AuthenticationParts {
  readonly authentication: Authentication;
  readonly chatTokens: ChatTokens;
  /** Stores the last uses of credentials, and closes the gate to issuers. */
  close(): Promise<void>;
}

/** Creates what finds out who calls. */
export async function createAuthenticationParts({
  config,
  storage,
  sealer,
  clock,
  logger,
}: Pick<Platform, "config" | "storage" | "sealer" | "clock" | "logger">): Promise<AuthenticationParts> {
  const { dataDir, auth, identities } = config;
  const keys = storage.keys ?? createKeyFiles(dataDir);
  const chatTokens = createChatTokens({ key: await signingKey(keys, "chat-token", sealer), clock });
  // The operator named the issuers, so their own addresses may be private; whatever else they point to may not.
  const hosts = auth.issuers
    .flatMap(({ issuer, jwksUri }) => [issuer, jwksUri ?? issuer])
    .map((url) => new URL(url).host);
  const egress = createEgress({ allowedPrivateHosts: [...config.egressAllow, ...hosts] });
  const authentication = createAuthentication({
    ...{ settings: auth, staticTokens: identities, store: storage.credentials, shortLived: storage.shortLived },
    ...{ chatTokens, key: await signingKey(keys, "access-token", sealer), egress, clock, logger },
  });
  return {
    authentication,
    chatTokens,
    close: async () => {
      await authentication.credentials.close();
      await egress.close();
    },
  };
}
