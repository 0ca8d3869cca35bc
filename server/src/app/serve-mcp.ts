import { createStdioHandler, type LineHandler, type StdioStreams, serveStdio } from "#protocols";
import { type App, buildApp } from "./build-app.ts";
import { ConfigError } from "./config/config-values.ts";
import type { Config } from "./config.ts";
import { importExampleInto } from "./start-server.ts";
import { VERSION } from "./version.ts";

/** An MCP endpoint for one client on this machine. */
interface StdioEndpoint extends StdioStreams {
  readonly config: Config;
  /** `/mcp` or `/mcp/analytics`, with a query as in an address, e.g. `/mcp?profile=read`. */
  readonly endpoint: string;
}

/** An MCP server without a port: opens the data folder, serves one client, and closes when the input ends. */
export async function serveMcp({ config, endpoint, ...streams }: StdioEndpoint): Promise<void> {
  const app = await buildApp(config);
  try {
    const handler = handlerFor(app, endpoint);
    // Starts Python, so that no call waits for that.
    app.sandbox.inspect("").catch((error: unknown) => app.logger.debug({ err: error }, "Python does not run"));
    if (config.example) await importExampleInto(app);
    await serveStdio(streams, handler);
  } finally {
    await app.close(config.drainMs);
  }
}

/** An unknown endpoint is an invalid setting. */
function handlerFor({ registry, logger, clock }: App, endpoint: string): LineHandler {
  try {
    return createStdioHandler(registry, { logger, clock, version: VERSION, endpoint });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
