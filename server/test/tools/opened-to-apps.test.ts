import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Config, readConfig } from "#app";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";

const STORE = "projects/hr/locations/global/collections/default_collection/dataStores/salaries";
const ENGINE = "projects/hr/locations/global/collections/default_collection/engines/people";
const CORPUS = "projects/hr/locations/us/ragCorpora/contracts";
const CONNECTION = "projects/hr/locations/us/connections/payroll";
const OPENED = "projects/hr/locations/us/apps/hr-desk";
const OTHER = "projects/shop/locations/us/apps/hr-desk";

let folder: string;
let server: TestServer;
const asked: string[] = [];
const payroll = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.setHeader("content-type", "application/json").end('{"paid": true}');
});
const rest = restOf(() => server);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-opened-"));
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "docs", "salaries.txt"), "The salary of Ann is 4,711.");
  await new Promise<void>((resolve) => payroll.listen(0, "127.0.0.1", resolve));
  const { port } = payroll.address() as AddressInfo;
  const { search, connectors, egressAllow } = await readConfigFile(fileOf(`http://127.0.0.1:${port}`));
  server = await startTestServer({ config: { search, connectors, egressAllow } });
  for (const app of [OPENED, OTHER]) {
    await rest("POST", `${app.replace("/apps/hr-desk", "")}/apps?appId=hr-desk`, { displayName: "HR" });
    for (const [toolId, tool] of Object.entries(TOOLS)) await rest("POST", `${app}/tools?toolId=${toolId}`, tool);
  }
});
after(async () => {
  await server[Symbol.asyncDispose]();
  payroll.close();
  await rm(folder, { recursive: true, force: true });
});

/** JSON is YAML too. */
const fileOf = (payrollUrl: string) => {
  const opened = { apps: ["projects/hr/*"] };
  const docs = { folder: join(folder, "docs"), ...opened };
  const pay = { description: "Pays.", path: "/pay" };
  return {
    egress: { allow: ["127.0.0.1"] },
    search: { dataStores: { [STORE]: docs }, engines: { [ENGINE]: [STORE] }, corpora: { [CORPUS]: docs } },
    connectors: {
      google: { accessTokenEnv: "GOOGLE_TOKEN", ...opened },
      http: [{ name: CONNECTION, baseUrl: payrollUrl, actions: { pay }, ...opened }],
    },
  };
};

async function readConfigFile(content: object): Promise<Config> {
  const path = join(folder, "frontdesk.yaml");
  await writeFile(path, JSON.stringify(content));
  return readConfig(["--config", path, "--data", join(folder, "data"), "--port", "0", "--log", "silent"], {
    GOOGLE_TOKEN: "token",
  });
}

const TOOLS = {
  "of-store": { dataStoreTool: { name: "of_store", dataStoreSource: { dataStore: { name: STORE } } } },
  "of-engine": { dataStoreTool: { name: "of_engine", engineSource: { engine: ENGINE } } },
  "of-corpus": { fileSearchTool: { name: "of_corpus", fileCorpus: CORPUS } },
  "of-google": { connectorTool: { connection: `${CONNECTION}-of-google`, action: { connectionActionId: "refund" } } },
  "of-connection": { connectorTool: { connection: CONNECTION, action: { connectionActionId: "pay" } } },
};

const executed = async (app: string, tool: string) => {
  const { response } = await rest("POST", `${app}:executeTool`, {
    tool: `${app}/tools/${tool}`,
    args: { query: "salary of Ann" },
  });
  return JSON.stringify(response);
};

describe("data and connections that the operator opened to some apps (TOOL-44)", () => {
  it("are searched and called by those", async () => {
    for (const tool of ["of-store", "of-engine", "of-corpus"])
      assert.match(await executed(OPENED, tool), /4,711/, tool);
    assert.match(await executed(OPENED, "of-connection"), /paid/);
    const { validationErrors = [] } = await rest("GET", OPENED);
    assert.doesNotMatch(validationErrors.join("\n"), /not open/);
  });

  it("are refused to others that name them, also in an app of the same id, and its validation says so", async () => {
    const before = asked.length;
    for (const tool of Object.keys(TOOLS)) {
      const response = await executed(OTHER, tool);
      assert.match(response, new RegExp(`(?:is|are) not open to the app '${OTHER}'`), tool);
      assert.doesNotMatch(response, /4,711|paid/);
    }
    assert.equal(asked.length, before, "nothing was sent");
    const { validationErrors = [] } = await rest("GET", OTHER);
    for (const key of [
      `search.dataStores.${STORE}.apps`,
      `search.corpora.${CORPUS}.apps`,
      "connectors.http",
      "connectors.google.apps",
    ])
      assert.ok(
        validationErrors.some((error: string) => error.includes(key) && error.includes("not open")),
        key,
      );
  });
});
