import assert from "node:assert/strict";
import type { TestServer } from "#testing";
import { restOf } from "../rest.ts";

/** A server that is asked over REST. */
type Asked = Pick<TestServer, "address" | "app">;

const PARENT = "projects/local/locations/us";

/** Creates an empty app; answers its name. */
export async function emptyApp(server: Asked, appId: string): Promise<string> {
  const rest = restOf(() => server);
  await finished(server, await rest("POST", `${PARENT}/apps?appId=${appId}`, { displayName: appId }));
  return `${PARENT}/apps/${appId}`;
}

/** Generates and waits; answers the finished operation. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
export async function generate(server: Asked, app: string, request: object): Promise<any> {
  const rest = restOf(() => server);
  return finished(server, await rest("POST", `${app}:generateAppResource`, request));
}

/** Generates, and fails its test unless there is a response; answers it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
export async function generated(server: Asked, app: string, request: object): Promise<any> {
  const operation = await generate(server, app, request);
  assert.ok(operation.response, JSON.stringify(operation.error));
  return operation.response;
}

/** The operation once it is done. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
export async function finished(server: Asked, started: any): Promise<any> {
  if (started.done) return started;
  await server.app.operations.wait(started.name, 120_000);
  return restOf(() => server)("GET", started.name);
}
