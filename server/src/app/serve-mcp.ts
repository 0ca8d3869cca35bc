import { createStdioHandler, type LineHandler, type StdioStreams, serveStdio } from "#protocols";
import { type App, buildApp } from "./build-app.ts";
import { type Config, ConfigError } from "./config.ts";
import { importExampleInto } from "./start-server.ts";
import { VERSION } from "./version.ts";

/** What one client on this machine is served. */
export interface McpOverLines extends StdioStreams {
  readonly config: Config;
  /** `/mcp` or `/mcp/analytics`, with a query as an address has it, e.g. `/mcp?profile=read`. */
  readonly endpoint: string;
}

/** The MCP server without a port: opens the data folder, answers the lines of one client, and closes when it leaves. */
export async function serveMcp({ config, endpoint, ...lines }: McpOverLines): Promise<void> {
  const app = await buildApp(config);
  try {
    const answer = answersOf(app, endpoint);
    if (config.example) await importExampleInto(app);
    await serveStdio(lines, answer);
  } finally {
    await app.close(config.drainMs);
  }
}

/** An endpoint that is not there is a setting that cannot be used. */
function answersOf({ registry, logger, clock }: App, endpoint: string): LineHandler {
  try {
    return createStdioHandler(registry, { logger, clock, version: VERSION, endpoint });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
