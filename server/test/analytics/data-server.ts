import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definedFields } from "#base";
import { startTestServer, type TestServer, type TestServerOptions } from "#testing";
import type { Element } from "./line-clients.ts";

/** Where everything of these tests lives. */
export const LOCATION = "projects/p/locations/global";

/** A small table that clients call `acme.sales.orders`. */
const ORDERS = `order_id,ordered_on,region,product,quantity,amount
1,2026-01-05,North,Kettle,1,48.50
2,2026-01-09,South,Teapot,2,60.00
3,2026-02-11,North,Mug,6,54.00
4,2026-02-20,West,Kettle,1,48.50
5,2026-03-02,South,Mug,2,18.00
6,2026-03-15,North,Teapot,1,30.00
`;

/** References of a context to the table, in the JSON of the API. */
export const ORDERS_REFERENCE = {
  bq: { tableReferences: [{ projectId: "acme", datasetId: "sales", tableId: "orders" }] },
};

/** The same table as that of a database of the cloud, for QueryData. */
export const DATABASE_REFERENCE = {
  alloydb: {
    databaseReference: {
      projectId: "acme",
      region: "us-central1",
      clusterId: "main",
      instanceId: "primary",
      databaseId: "sales",
    },
  },
};

/** A server over the small table. `studio`: data sources of Looker Studio, by their ids. */
export async function startDataServer({
  studio,
  ...options
}: TestServerOptions & { readonly studio?: Readonly<Record<string, readonly string[]>> } = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-data-"));
  mkdirSync(join(folder, "sales"));
  writeFileSync(join(folder, "sales", "orders.csv"), ORDERS);
  const sources = [{ name: ["acme", "sales"] as const, path: join(folder, "sales") }];
  const warehouse = { sources, memory: "256MB", spillDir: join(folder, "spill"), ...definedFields({ studio }) };
  const server = await startTestServer({ ...options, config: { warehouse, ...options.config } });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A body for `:chat` that asks one question with the table inline. */
export function inlineQuestion(text: string, more: object = {}) {
  return {
    messages: [{ userMessage: { text } }],
    inlineContext: { datasourceReferences: ORDERS_REFERENCE },
    ...more,
  };
}

/** Calls a method over REST and answers status and JSON. */
export async function callRest(
  server: Pick<TestServer, "address">,
  httpMethod: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${server.address}${path}`, {
    method: httpMethod,
    headers: { "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await readJson(response) };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, asserted by each test
async function readJson(response: Response): Promise<any> {
  return JSON.parse(await response.text());
}

/** Asks over REST; answers all elements of the stream, or the one refusal. */
export async function askAll(
  server: Pick<TestServer, "address">,
  body: object,
  revision = "v1beta",
): Promise<Element[]> {
  const { json } = await callRest(server, "POST", `/${revision}/${LOCATION}:chat`, body);
  return Array.isArray(json) ? json : [json];
}
