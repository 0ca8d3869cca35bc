import { join } from "node:path";
import type { Config } from "#app";
import { packFolder } from "#resources";
import { startTestServer, type TestServer } from "#testing";
import { operateServer } from "../python/call-server.ts";

export const KIT = "projects/local/locations/us/apps/a2a-kit";
const FOLDER = join(import.meta.dirname, "..", "..", "..", "examples", "a2a-kit", "app");

/** A server whose agent is the app that the compatibility kit expects. */
export async function startKitServer(a2a: Partial<Config["a2a"]> = {}): Promise<TestServer> {
  const server = await startTestServer({ config: { egressAllow: ["127.0.0.1"], a2a: { agent: KIT, ...a2a } } });
  const appContent = Buffer.from((await packFolder(FOLDER, 0)).zip).toString("base64");
  await operateServer(server, "projects/local/locations/us/apps:importApp", { appId: "a2a-kit", appContent });
  return server;
}
