import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { documentOf } from "./tool-bench.ts";

const APP = "projects/shop/locations/us/apps/the-desk";
const TOKEN = "/computeMetadata/v1/instance/service-accounts/default/token";

let server: TestServer;
const rest = restOf(() => server);

before(async () => {
  const metadata = { port: 0, account: "vm", project: "local" };
  const auth = { mode: "off", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [], metadata } as const;
  server = await startTestServer({ config: { egressAllow: ["127.0.0.1", "localhost"], auth } });
  await rest("POST", "projects/shop/locations/us/apps?appId=the-desk", { displayName: "Desk" });
});
after(() => server[Symbol.asyncDispose]());

/** What a tool of an app gets at an address. */
async function got(toolId: string, url: string, path: string): Promise<string> {
  const flavor = { name: "Metadata-Flavor", in: "header", schema: { type: "string" } };
  const get = { operationId: toolId, parameters: [flavor], responses: {} };
  const openApiTool = { openApiSchema: JSON.stringify(documentOf(url, { [path]: { get } })) };
  await rest("POST", `${APP}/tools?toolId=${toolId}`, { displayName: toolId, openApiTool });
  const args = { "Metadata-Flavor": "Google" };
  return JSON.stringify(await rest("POST", `${APP}:executeTool`, { tool: `${APP}/tools/${toolId}`, args }));
}

describe("a tool of an app, where the operator opens this machine without a port (WIRE-71)", () => {
  it("does not reach the API of the server that runs it", async () => {
    for (const [index, host] of ["127.0.0.1", "localhost"].entries()) {
      const address = server.address.replace("127.0.0.1", host);
      assert.match(await got(`own_${index}`, address, "/v1beta/projects/shop/locations/us/apps"), /server's own/, host);
    }
  });

  it("gets no token of the metadata server", async () => {
    const answer = await got("token", `http://${server.metadataAddress}`, TOKEN);
    assert.match(answer, /server's own/);
    assert.doesNotMatch(answer, /access_token/);
  });
});
