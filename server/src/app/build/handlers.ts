import { join } from "node:path";
import { FILE_LIMITS } from "#analytics";
import {
  createA2aHandler,
  createBatchHandler,
  createConnectHandler,
  createDataFileUpload,
  createDiscoveryHandler,
  createFilesHandler,
  createMcpHandler,
  createRestHandler,
  createSignInHandler,
  createTokenHandler,
  createWebSocketHandler,
  type HandlerDeps,
  isDataFilePath,
} from "#protocols";
import { MAX_TOOL_FILE } from "#search";
import { auditSignIns } from "../audit-sign-ins.ts";
import type { App } from "../build-app.ts";
import type { Config } from "../config.ts";
import { createConsoleHandler } from "../console/console.ts";
import { createHealthHandler, type Phase } from "../health.ts";
import type { Handlers } from "../listen/handlers.ts";
import { createPeerOf } from "../listen/peer-of.ts";
import { VERSION } from "../version.ts";

/** Where callers must be known: what pages without a credential say to an app that is open to all users, pictures of them included. */
const ANONYMOUS_BODY_BYTES = 1024 * 1024;

/** What the port serves. `home`: the folder of the checkout or the package. `stopping`: aborts when what is still in flight is given up. */
export function createHandlers(
  config: Config,
  app: App,
  home: string,
  { phase, stopping }: { readonly phase: () => Phase; readonly stopping: AbortSignal },
): Handlers {
  const { registry, authentication, logger, clock } = app;
  const peerOf = createPeerOf(config.auth.trustedProxies);
  const deps: HandlerDeps = {
    ...{ logger, authenticator: authentication.authenticator, peerOf, stopping },
    ...(config.auth.mode === "required" && { anonymousBodyBytes: ANONYMOUS_BODY_BYTES }),
  };
  const toolFiles = createFilesHandler(registry, { ...deps, files: app.toolFiles, maxFileBytes: MAX_TOOL_FILE });
  const dataFiles = createDataFileUpload(registry, { ...deps, maxDataFileBytes: FILE_LIMITS.fileBytes });
  const rest = createRestHandler(registry, deps);
  return {
    rest,
    batch: createBatchHandler(rest, deps),
    connect: createConnectHandler(registry, deps),
    token: createTokenHandler(authentication.tokenEndpoint, deps),
    signIn: createSignInHandler(authentication, { ...deps, clock }, auditSignIns(app.audit, clock)),
    a2a: createA2aHandler(registry, {
      ...deps,
      card: (tenant, reader) => app.a2a.cards.public(tenant, reader),
      cards: config.a2a.cards ?? "all",
    }),
    files: (request, response) => (isDataFilePath(request.url ?? "") ? dataFiles : toolFiles)(request, response),
    discovery: createDiscoveryHandler(registry, { logger, version: VERSION, origin: config.auth.origin }),
    mcp: createMcpHandler(registry, { ...deps, version: VERSION, ...config.mcp }),
    upgrade: createWebSocketHandler(registry, deps),
    console: createConsoleHandler(join(home, "console", "dist"), join(home, "dist", "docs")),
    health: createHealthHandler(app, phase, deps),
  };
}
