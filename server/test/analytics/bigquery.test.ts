import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTestServer } from "#testing";
import { startBigQuery } from "#testing/google";
import { askAll, inlineQuestion } from "./data-server.ts";

const TABLE = { projectId: "acme", datasetId: "sales", tableId: "orders" };
const ORDERS = {
  tableReference: TABLE,
  type: "TABLE",
  numRows: "6",
  schema: {
    fields: [
      { name: "region", type: "STRING" },
      { name: "amount", type: "FLOAT" },
      { name: "sold_on", type: "DATE" },
    ],
  },
};
const ROWS = [{ f: [{ v: "North" }, { v: "132.5" }] }, { f: [{ v: "South" }, { v: "78.0" }] }];
const ANSWERS = [
  {
    sql: /^SELECT min\(`sold_on`\)/,
    fields: [
      { name: "a0", type: "DATE" },
      { name: "b0", type: "DATE" },
    ],
    rows: [{ f: [{ v: "2026-01-01" }, { v: "2026-03-31" }] }],
  },
  {
    sql: /COUNT\(\*\) AS n/,
    fields: [{ name: "f0_", type: "STRING" }],
    rows: [{ f: [{ v: "North" }] }, { f: [{ v: "South" }] }],
  },
  {
    sql: /^SELECT `orders`\.`region`[\s\S]*sum\(`orders`\.`amount`\)[\s\S]*FROM `acme\.sales\.orders`/,
    fields: [
      { name: "region", type: "STRING" },
      { name: "total_amount", type: "FLOAT" },
    ],
    rows: ROWS,
  },
];

describe("a question to BigQuery", () => {
  it("is answered by a job, which the stream names", async () => {
    await using bigquery = await startBigQuery({ tables: [ORDERS], answers: ANSWERS });
    const access = { endpoint: bigquery.address, project: "payer", accessToken: async () => "token-1" };
    const warehouse = {
      sources: [],
      bigquery: [{ name: ["*"] as const, access }],
      ...{ memory: "256MB", spillDir: "/nonexistent" },
    };
    await using server = await startTestServer({ config: { warehouse } });
    const options = { datasource: { bigQueryMaxBilledBytes: "100000000" } };
    const context = { datasourceReferences: { bq: { tableReferences: [TABLE] } }, options };
    const elements = await askAll(server, inlineQuestion("total amount by region", { inlineContext: context }));
    const data = elements.flatMap(({ systemMessage }) => (systemMessage?.data ? [systemMessage.data] : []));
    const job = data.find(({ bigQueryJob }) => bigQueryJob)?.bigQueryJob;
    assert.match(job?.jobId ?? JSON.stringify(elements), /^frontdesk_/);
    assert.deepEqual(job, {
      ...{ projectId: "payer", jobId: job?.jobId, location: "EU" },
      destinationTable: { projectId: "payer", datasetId: "_anonymous", tableId: "anon_46" },
      schema: {
        fields: [
          { name: "region", type: "STRING", mode: "NULLABLE" },
          { name: "total_amount", type: "FLOAT", mode: "NULLABLE" },
        ],
      },
    });
    assert.deepEqual(data.find(({ result }) => result)?.result.data, [
      { region: "North", total_amount: "132.5" },
      { region: "South", total_amount: "78.0" },
    ]);
    const billed = bigquery.requests
      .map(({ message }) => JSON.stringify(message))
      .filter((text) => text.includes(job.jobId));
    assert.equal(billed.length, 1);
    assert.match(billed[0] ?? "", /"maximumBytesBilled":"100000000"/);
    const jobs = bigquery.requests.filter(({ message }) => JSON.stringify(message).includes('"jobTimeoutMs"'));
    assert.deepEqual(
      jobs.map(({ message }) => /"maximumBytesBilled":"(\d+)"/.exec(JSON.stringify(message))?.[1]),
      ["100000000", "100000000", "100000000"],
    );
  });

  it("is refused by its budget before it runs, with what it would read and cost (CA-43)", async () => {
    const dear = ANSWERS.map((answer, at) => (at === 2 ? { ...answer, totalBytesProcessed: 3 * 1024 ** 4 } : answer));
    await using bigquery = await startBigQuery({ tables: [ORDERS], answers: dear });
    const access = { endpoint: bigquery.address, project: "payer", accessToken: async () => "token-1" };
    const bigqueryMappings = [{ name: ["*"] as const, access }];
    const warehouse = { sources: [], bigquery: bigqueryMappings, memory: "256MB", spillDir: "/nonexistent" };
    const byAgent = new Map([["*", { name: "analytics.budgets.*", bytes: 512 * 1024 ** 3 }]]);
    const budgets = { byAgent, price: { perTiB: 6.25, currency: "USD" } };
    const analytics = { definedModels: new Map(), budgets };
    await using server = await startTestServer({ config: { warehouse, analytics } });
    const context = { datasourceReferences: { bq: { tableReferences: [TABLE] } } };
    const elements = await askAll(server, inlineQuestion("total amount by region", { inlineContext: context }));
    assert.match(
      JSON.stringify(elements),
      /analytics\.budgets\.\* allows a query to read 512 GiB \(3\.1 USD\), and this one would read 3 TiB \(19 USD\)/,
    );
    const ran = bigquery.requests.filter(({ message }) => /sum\(.*"jobTimeoutMs"/.test(JSON.stringify(message)));
    assert.deepEqual(ran, []);
  });
});
