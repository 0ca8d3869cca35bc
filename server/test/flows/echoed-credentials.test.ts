import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readConfig } from "#app";
import { definedFields } from "#base";
import { startTestServer, type TestServer } from "#testing";
import { appOfOneAgent, say } from "./app-of-one-agent.ts";

const SECRET = "5ecret-of-the-operator";
const SPELLINGS = [SECRET, Buffer.from(`asker:${SECRET}`).toString("base64")];
const LOCATION = "projects/test/locations/us";

/** A service that refuses each call and says with which headers and which body it came, as some gateways do. */
const echoing = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const message = `refused ${JSON.stringify(request.headers)} ${Buffer.concat(parts)}`;
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ message, error: { message, status: "INVALID_ARGUMENT" } }));
  });
});

describe("a service that repeats the credential of a call in its error", () => {
  let folder: string;
  let server: TestServer;
  let origin: string;
  before(async () => {
    echoing.listen(0, "127.0.0.1");
    await new Promise((resolve) => echoing.once("listening", resolve));
    origin = `http://127.0.0.1:${(echoing.address() as AddressInfo).port}`;
    folder = await mkdtemp(join(tmpdir(), "frontdesk-echoed-"));
    const path = join(folder, "config.json");
    const database = (name: string) => ({ [name]: { env: name.toUpperCase() } });
    const sources = {
      "echo-ch.data": database("clickhouse"),
      "echo-tr.data": database("trino"),
      "echo-db.data": database("databricks"),
      "echo-bq.data": { bigquery: { endpoint: origin, accessTokenEnv: "TOKEN" } },
    };
    const looker = { [origin]: { clientId: "frontdesk", clientSecret: { env: "TOKEN" } } };
    const file = {
      egress: { allow: [new URL(origin).host] },
      dialogflow: { endpoint: origin, accessTokenEnv: "TOKEN" },
      warehouse: { sources, looker },
    };
    await writeFile(path, JSON.stringify(file));
    const address = (rest: string) => `${origin.replace("//", `//asker:${SECRET}@`)}/${rest}`;
    const { dialogflow, warehouse, egressAllow } = readConfig(["--config", path, "--data", folder], {
      TOKEN: SECRET,
      CLICKHOUSE: address("db"),
      TRINO: address("catalog/schema"),
      DATABRICKS: address("catalog/schema?warehouse=w").replace("asker", "token"),
    });
    server = await startTestServer({ config: { ...definedFields({ dialogflow }), warehouse, egressAllow } });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    echoing.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(inlineContext: object): Promise<string> {
    const response = await fetch(`${server.address}/v1beta/${LOCATION}:chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ inlineContext, messages: [{ userMessage: { text: "How many rows are in t?" } }] }),
    });
    return response.text();
  }

  function isShownWithout(text: string): void {
    assert.match(text, /refused \{|rejects the credentials/, text);
    for (const spelling of SPELLINGS) assert.ok(!text.includes(spelling), text);
  }

  it("is shown without it: tables of BigQuery", async () => {
    const response = await fetch(`${server.address}/v1beta/${LOCATION}/dataTables`);
    isShownWithout(await response.text());
  });

  for (const projectId of ["echo-ch", "echo-tr", "echo-db"])
    it(`is shown without it: a database of questions, ${projectId} (AUTH-33)`, async () => {
      const tableReferences = [{ projectId, datasetId: "data", tableId: "t" }];
      isShownWithout(await ask({ datasourceReferences: { bq: { tableReferences } } }));
    });

  it("is shown without it: Looker", async () => {
    const exploreReferences = [{ lookerInstanceUri: origin, lookmlModel: "m", explore: "e" }];
    isShownWithout(await ask({ datasourceReferences: { looker: { exploreReferences } } }));
  });

  it("is shown without it: Dialogflow", async () => {
    const agent = "projects/p/locations/global/agents/there";
    const app = await appOfOneAgent(server, "echoed", {
      agentType: { case: "remoteDialogflowAgent", value: { agent } },
    });
    isShownWithout(JSON.stringify(await say(server, app, "echoed-1", "hello")));
  });
});
