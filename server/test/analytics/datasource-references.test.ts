import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { askAll, inlineQuestion, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

const PLACE = { projectId: "acme", databaseId: "sales" };
const ALLOYDB = { ...PLACE, region: "us-central1", clusterId: "main", instanceId: "primary" };
const SPANNER = { ...PLACE, engine: "GOOGLE_SQL", instanceId: "i" };
const CLOUD_SQL = { ...PLACE, engine: "POSTGRESQL", region: "us-central1", instanceId: "i" };
const STUDIO_ID = "f5b0f0f0-1111";

const TAGGED = {
  description: "Every sale",
  synonyms: ["purchases"],
  tags: ["money"],
  fields: [{ name: "amount", description: "In pounds", synonyms: ["revenue"], tags: ["kpi"] }],
};
const [TABLE] = ORDERS_REFERENCE.bq.tableReferences;

const REFERENCES: readonly (readonly [string, object, object])[] = [
  ["a BigQuery table", ORDERS_REFERENCE, { bigqueryTableReference: TABLE }],
  [
    "a database of AlloyDB, all of whose tables are meant",
    { alloydb: { databaseReference: ALLOYDB } },
    { alloyDbReference: { databaseReference: { ...ALLOYDB, tableIds: ["orders"] } } },
  ],
  [
    "a table of Spanner",
    { spannerReference: { databaseReference: { ...SPANNER, tableIds: ["orders"] } } },
    { spannerReference: { databaseReference: { ...SPANNER, tableIds: ["orders"] } } },
  ],
  [
    "a table of Cloud SQL by its literal name",
    { cloudSqlReference: { databaseReference: { ...CLOUD_SQL, databaseTableReferences: [{ tableId: "orders" }] } } },
    { cloudSqlReference: { databaseReference: { ...CLOUD_SQL, databaseTableReferences: [{ tableId: "orders" }] } } },
  ],
  [
    "a data source of Looker Studio",
    { studio: { studioReferences: [{ datasourceId: STUDIO_ID }] } },
    { studioDatasourceId: STUDIO_ID },
  ],
];

describe("a data source of a context", () => {
  let server: TestServer;
  before(async () => {
    server = await startDataServer({ studio: { [STUDIO_ID]: ["acme", "sales", "orders"] } });
  });
  after(() => server[Symbol.asyncDispose]());

  async function told(datasourceReferences: object) {
    const elements = await askAll(
      server,
      inlineQuestion("how many orders?", { inlineContext: { datasourceReferences } }),
    );
    const resolved = elements.flatMap(({ systemMessage }) => systemMessage?.schema?.result?.datasources ?? []);
    const queried = elements.flatMap(({ systemMessage }) => systemMessage?.data?.query?.datasources ?? []);
    return { resolved, queried, elements };
  }

  for (const [name, asked, expected] of REFERENCES) {
    it(`keeps its kind: ${name}`, async () => {
      const { resolved, queried, elements } = await told(asked);
      const references = resolved.map(({ schema: _, ...reference }) => reference);
      assert.deepEqual(references, [expected], JSON.stringify(elements[0]));
      assert.deepEqual(queried, resolved);
    });
  }

  it("has the author's description, synonyms and tags, and the catalogue's fields", async () => {
    const { resolved } = await told({ bq: { tableReferences: [{ ...TABLE, schema: TAGGED }] } });
    const { fields, ...schema } = resolved[0].schema;
    const { fields: _, ...words } = TAGGED;
    assert.deepEqual(schema, words);
    assert.deepEqual(fields.at(-1), { ...TAGGED.fields[0], type: "FLOAT64", mode: "NULLABLE" });
    assert.deepEqual(fields[0], { name: "order_id", type: "INT64", mode: "NULLABLE" });
  });
});
