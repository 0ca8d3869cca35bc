import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { type BigQueryAnswer, type BigQueryProblem, type GoogleServer, startBigQuery } from "#testing/google";
import type { SqlSource, Warehouse } from "../contract.ts";
import { createWarehouse } from "../create-warehouse.ts";
import type { BigQueryAccess } from "../mapping/warehouse-config.ts";
import { REJECTED_STATEMENTS } from "./__fixtures__/rejected-statements.ts";

const LIMITS = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 5_000 };
const { signal } = new AbortController();

const reference = (tableId: string) => ({ projectId: "acme", datasetId: "shop", tableId });
const field = (name: string, type: string, more: JsonObject = {}): JsonObject => ({ name, type, ...more });
const row = (...values: readonly JsonValue[]): JsonObject => ({ f: values.map((v) => ({ v })) });

const ORDERS: JsonObject = {
  tableReference: reference("orders"),
  type: "TABLE",
  description: "What was sold",
  numRows: "1000",
  schema: {
    fields: [
      field("order_id", "INTEGER", { mode: "REQUIRED" }),
      field("store_id", "INTEGER"),
      field("tags", "STRING", { mode: "REPEATED", description: "As the cashier typed them" }),
      field("lines", "RECORD", { mode: "REPEATED", fields: [field("product", "STRING"), field("price", "FLOAT")] }),
    ],
  },
  tableConstraints: {
    primaryKey: { columns: ["order_id"] },
    foreignKeys: [
      {
        name: "store",
        referencedTable: reference("stores"),
        columnReferences: [{ referencingColumn: "store_id", referencedColumn: "id" }],
      },
    ],
  },
};
const STORES: JsonObject = {
  tableReference: reference("stores"),
  type: "VIEW",
  view: { query: "`Sold`" },
  numRows: "0",
  schema: { fields: [field("id", "INTEGER"), field("name", "STRING")] },
};

/** Questions of every form that people and models write. */
const QUESTIONS = [
  "SELECT COUNT(*) FROM `acme.shop.orders`",
  "(SELECT 1) UNION ALL (SELECT 2)",
  "WITH t AS (SELECT * FROM acme.shop.orders) SELECT * EXCEPT (tags) REPLACE (1 AS store_id) FROM t",
  "SELECT DATE_TRUNC(DATE(`o`.`at`), ISOWEEK), SUM(IF(x IN (1, 2), 1, 0)) FROM acme.shop.orders AS o GROUP BY ROLLUP (1)",
  "SELECT SAFE.SUBSTR(name, 0), SAFE_CAST(id AS NUMERIC), tags[SAFE_OFFSET(0)], STRUCT<a INT64>(1) FROM acme.shop.stores",
  "SELECT row_number() OVER (PARTITION BY a ORDER BY b) FROM t, UNNEST(tags) AS tag WITH OFFSET QUALIFY (1) = 1",
  "SELECT 'DELETE; EXTERNAL_QUERY(', r'\\d', o.set, \"x\" FROM acme.shop.orders o JOIN acme.shop.stores s USING (id) # ; DROP",
  "SELECT load, t.update, `delete`, call FROM t WHERE call IS NOT NULL AND begin < 3 GROUP BY load, loop ORDER BY commit DESC, raise",
  "SELECT EXTRACT(HOUR FROM at), CAST(1 AS STRING), APPROX_QUANTILES(x, 2)[OFFSET(1)], MOD(1 + 5, 7) FROM t WHERE EXISTS (SELECT 1)",
];

describe("tables of BigQuery", () => {
  const opened: (Warehouse | GoogleServer)[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await ("close" in one ? one.close() : one[Symbol.asyncDispose]());
  });

  /** A source over these tables, and the fake behind it. */
  async function open(
    answers: readonly BigQueryAnswer[] = [],
    {
      tables = ["orders"],
      broken = [],
      ...access
    }: Partial<BigQueryAccess> & { readonly tables?: readonly string[]; readonly broken?: BigQueryProblem[] } = {},
  ): Promise<{ readonly source: SqlSource; readonly server: GoogleServer; readonly warehouse: Warehouse }> {
    const server = await startBigQuery({ tables: [ORDERS, STORES], answers, broken });
    const token = async () => "token-1";
    const bigquery = [{ name: ["acme"] as const, access: { endpoint: server.address, accessToken: token, ...access } }];
    const warehouse = createWarehouse({ sources: [], bigquery, memory: "256MB", spillDir: "/nonexistent" });
    opened.push(warehouse, server);
    const value = { tableReferences: tables.map(reference) };
    const source = await warehouse.open(create(DatasourceReferencesSchema, { references: { case: "bq", value } }));
    assert.ok(source.kind === "sql");
    return { source, server, warehouse };
  }

  const configurations = ({ requests }: GoogleServer) =>
    requests.flatMap(({ message: { configuration } }) => (isJsonObject(configuration) ? [configuration] : []));

  for (const [effect, statements] of Object.entries(REJECTED_STATEMENTS)) {
    it(`reject statements that would ${effect} (${statements.length} tried), and send none`, async () => {
      const { source, server } = await open([{ sql: /.*/s }]);
      for (const sql of statements) {
        assert.equal((await source.check(sql, [], signal)).kind, "rejected", sql);
        await assert.rejects(source.query({ sql, limits: LIMITS, signal }), { kind: "rejected" }, sql);
      }
      assert.deepEqual(configurations(server), []);
    });
  }

  it("accept questions in every form", async () => {
    const { source } = await open([{ sql: /.*/s }]);
    for (const sql of QUESTIONS) {
      const check = await source.check(sql, [], signal);
      assert.equal(check.kind, "accepted", `${sql}: ${JSON.stringify(check)}`);
    }
  });

  it("are described with columns, descriptions, keys and rows", async () => {
    const { source } = await open([], { tables: ["orders", "stores"] });
    assert.deepEqual(await source.describe(signal), [
      {
        path: ["acme", "shop", "orders"],
        description: "What was sold",
        columns: [
          { name: "order_id", type: "INT64", mode: "REQUIRED" },
          { name: "store_id", type: "INT64", mode: "NULLABLE" },
          { name: "tags", type: "STRING", mode: "REPEATED", description: "As the cashier typed them" },
          {
            ...{ name: "lines", type: "STRUCT", mode: "REPEATED" },
            fields: [
              { name: "product", type: "STRING", mode: "NULLABLE" },
              { name: "price", type: "FLOAT64", mode: "NULLABLE" },
            ],
          },
        ],
        primaryKey: ["order_id"],
        foreignKeys: [{ columns: ["store_id"], table: ["acme", "shop", "stores"], referencedColumns: ["id"] }],
        rowCount: 1000,
      },
      {
        path: ["acme", "shop", "stores"],
        columns: [
          { name: "id", type: "INT64", mode: "NULLABLE" },
          { name: "name", type: "STRING", mode: "NULLABLE" },
        ],
        reads: ["sold"],
      },
    ]);
  });

  it("are checked by a dry run, which returns columns, tables and scanned bytes", async () => {
    const { source, server } = await open([{ sql: /sum/, fields: [field("s", "FLOAT")], totalBytesProcessed: 4_096 }]);
    assert.deepEqual(await source.check("SELECT sum(x) AS s FROM acme.shop.orders", [], signal), {
      kind: "accepted",
      columns: [{ name: "s", type: "FLOAT64", mode: "NULLABLE" }],
      tables: [["acme", "shop", "orders"]],
      scannedBytes: 4_096,
    });
    assert.deepEqual(configurations(server), [
      {
        dryRun: true,
        query: { query: "SELECT sum(x) AS s FROM acme.shop.orders", useLegacySql: false, useQueryCache: true },
      },
    ]);
  });

  it("are the only ones that a statement may reference, according to the dry run", async () => {
    const routine = { projectId: "acme", datasetId: "shop", routineId: "leak" };
    const { source, server } = await open([
      { sql: /stranger/, referencedTables: [reference("orders"), reference("salaries")] },
      { sql: /routine/, referencedRoutines: [routine] },
      { sql: /script/, statementType: "SCRIPT" },
      { sql: /many/, referencedTables: Array.from({ length: 50 }, () => reference("orders")) },
      { sql: /broken/, refuses: { code: 400, reason: "invalidQuery", message: "Unrecognized name: x at [1:8]" } },
    ]);
    const said = async (sql: string) => {
      const check = await source.check(`SELECT '${sql}'`, [], signal);
      return check.kind === "rejected" ? check.construct : check.kind === "invalid" ? check.error : check.kind;
    };
    assert.deepEqual(
      [await said("stranger"), await said("routine"), await said("script"), await said("many"), await said("broken")],
      ["acme.shop.salaries", "acme.shop.leak", "SCRIPT", "50 tables", "BigQuery: Unrecognized name: x at [1:8]"],
    );
    await assert.rejects(source.query({ sql: "SELECT 'stranger'", limits: LIMITS, signal }), { kind: "rejected" });
    assert.ok(configurations(server).every(({ dryRun }) => dryRun === true));
  });

  it("answer rows of every kind, page by page, from a job that the result names", async () => {
    const fields = [
      field("n", "INTEGER"),
      field("at", "TIMESTAMP"),
      field("ok", "BOOLEAN"),
      field("tags", "STRING", { mode: "REPEATED" }),
      field("lines", "RECORD", { mode: "REPEATED", fields: [field("product", "STRING"), field("at", "TIMESTAMP")] }),
    ];
    const line = { v: row("Mug", "0") };
    const rows = [
      row("1", "1767261600000000", "true", [{ v: "a" }, { v: "b" }], [line]),
      row("2", "-1500000", null, [], []),
      row(null, null, "false", [], []),
    ];
    const { source, server } = await open([{ sql: /orders/, fields, rows, pageSize: 2, slowPolls: 1 }], {
      project: "payer",
      location: "EU",
    });
    const result = await source.query({
      sql: "SELECT * FROM acme.shop.orders WHERE name = @name AND n > @n",
      parameters: [
        { name: "name", type: "STRING", value: "x' OR true --" },
        { name: "n", type: "INTEGER", value: "0" },
      ],
      limits: { ...LIMITS, maxScannedBytes: 5_000 },
      signal,
    });
    assert.deepEqual(result.rows, [
      ["1", "2026-01-01T10:00:00Z", "true", ["a", "b"], [{ product: "Mug", at: "1970-01-01T00:00:00Z" }]],
      ["2", "1969-12-31T23:59:58.5Z", null, [], []],
      [null, null, "false", [], []],
    ]);
    assert.deepEqual(
      [result.truncated, result.columns.map(({ type }) => type)],
      [false, ["INT64", "TIMESTAMP", "BOOL", "STRING", "STRUCT"]],
    );
    const [, job] = configurations(server);
    assert.deepEqual(job, {
      labels: { application: "frontdesk" },
      jobTimeoutMs: "5000",
      query: {
        query: "SELECT * FROM acme.shop.orders WHERE name = @name AND n > @n",
        useLegacySql: false,
        useQueryCache: true,
        maximumBytesBilled: "5000",
        parameterMode: "NAMED",
        queryParameters: [
          { name: "name", parameterType: { type: "STRING" }, parameterValue: { value: "x' OR true --" } },
          { name: "n", parameterType: { type: "INT64" }, parameterValue: { value: "0" } },
        ],
      },
    });
    assert.match(result.job?.jobId ?? "", /^frontdesk_[0-9a-f-]{36}$/);
    assert.deepEqual(result.job, {
      ...{ project: "payer", jobId: result.job?.jobId, location: "EU" },
      destination: ["payer", "_anonymous", "anon_46"],
    });
    const polls = server.requests.filter(({ path }) => path.includes("/queries/"));
    assert.equal(polls.length, 3);
    assert.ok(polls.every(({ path }) => path.includes("location=EU") && path.includes("useInt64Timestamp=true")));
    assert.ok(server.requests.every(({ authorization }) => authorization === "Bearer token-1"));
  });

  it("keep to the limits of rows and bytes", async () => {
    const rows = Array.from({ length: 10 }, (_, at) => row(String(at)));
    const { source, server } = await open([{ sql: /.*/, fields: [field("n", "INTEGER")], rows, pageSize: 4 }]);
    const run = (limits: object) => source.query({ sql: "SELECT n", limits: { ...LIMITS, ...limits }, signal });
    const few = await run({ maxRows: 3 });
    assert.deepEqual([few.rows, few.truncated], [[["0"], ["1"], ["2"]], true]);
    assert.match(server.requests.at(-1)?.path ?? "", /maxResults=4/);
    const small = await run({ maxBytes: 12 });
    assert.deepEqual([small.rows.length, small.truncated], [2, true]);
    const all = await run({ maxRows: 10 });
    assert.deepEqual([all.rows.length, all.truncated], [10, false]);
  });

  it("are not read where the query would scan more than is allowed", async () => {
    const { source, server } = await open([{ sql: /.*/, totalBytesProcessed: 2_000_000 }]);
    const limits = { ...LIMITS, maxScannedBytes: 1_000_000 };
    await assert.rejects(source.query({ sql: "SELECT 1", limits, signal }), {
      kind: "too-expensive",
      message: /2000000 bytes, more than the 1000000/,
    });
    assert.equal(configurations(server).length, 1);
  });

  it("cancel the job at the timeout and when the signal is aborted", async () => {
    const { source, server } = await open([{ sql: /.*/, slowPolls: Number.POSITIVE_INFINITY }]);
    const run = (timeoutMs: number, until = signal) =>
      source.query({ sql: "SELECT 1", limits: { ...LIMITS, timeoutMs }, signal: until });
    const cancels = () => server.requests.filter(({ path }) => path.includes("/cancel?location=EU")).length;
    await assert.rejects(run(100), { kind: "timeout" });
    assert.equal(cancels(), 1);
    const left = new AbortController();
    const running = run(5_000, left.signal);
    setTimeout(() => left.abort(), 100);
    await assert.rejects(running, { kind: "cancelled" });
    assert.equal(cancels(), 2);
  });

  it("return the errors of BigQuery by kind", async () => {
    const job = (reason: string) => [{ sql: /.*/, fails: { reason, message: `said ${reason}` } }];
    const kinds = {
      accessDenied: "permission",
      bytesBilledLimitExceeded: "too-expensive",
      invalidQuery: "invalid",
      notFound: "invalid",
      resourcesExceeded: "failed",
      stopped: "cancelled",
    };
    for (const [reason, kind] of Object.entries(kinds)) {
      const { source } = await open(job(reason));
      const message = `BigQuery: said ${reason}`;
      await assert.rejects(source.query({ sql: "SELECT 1", limits: LIMITS, signal }), { kind, message }, reason);
    }
    const refuses = { code: 403, reason: "accessDenied", message: "Access Denied" };
    const { source } = await open([{ sql: /.*/, refuses }]);
    await assert.rejects(source.query({ sql: "SELECT 1", limits: LIMITS, signal }), { kind: "permission" });
  });

  it("retry after a transient error, and not after a permanent one", async () => {
    const passing = { code: 503, reason: "backendError", message: "Try again" };
    const { server } = await open([], { broken: [passing] });
    assert.equal(server.requests.length, 2);
    const stays = { code: 401, reason: "authError", message: "Invalid credentials" };
    await assert.rejects(open([], { broken: [stays] }), {
      message: /unavailable.*Invalid credentials/,
    });
  });

  it("poll for a long job, and return its error where it failed", async () => {
    const fields = [field("n", "INTEGER")];
    const failsLater = { code: 400, reason: "resourcesExceeded", message: "Resources exceeded" };
    const { source, server } = await open([
      { sql: /slow/, fields, rows: [row("1")], slowPolls: 3 },
      { sql: /large/, fields, slowPolls: 1, failsLater },
    ]);
    const slow = await source.query({ sql: "SELECT 1 AS slow", limits: LIMITS, signal });
    assert.deepEqual(slow.rows, [["1"]]);
    assert.equal(server.requests.filter(({ path }) => path.includes("/queries/")).length, 4);
    await assert.rejects(source.query({ sql: "SELECT 1 AS large", limits: LIMITS, signal }), {
      name: "QueryError",
      message: "BigQuery: Resources exceeded",
    });
  });

  it("run one job where the response to its insert was lost", async () => {
    const { source } = await open([{ sql: /.*/, lost: true, fields: [field("n", "INTEGER")], rows: [row("1")] }]);
    const { rows, job } = await source.query({ sql: "SELECT 1 AS n", limits: LIMITS, signal });
    assert.deepEqual([rows, job?.location], [[["1"]], "EU"]);
  });

  it("are listed once for pages and searches that follow each other", async () => {
    const { warehouse, server } = await open();
    const paths = ["orders", "stores"].map((table) => ["acme", "shop", table]);
    assert.deepEqual((await warehouse.tables("p")).tables, paths);
    const { length } = server.requests;
    assert.deepEqual((await warehouse.tables("p")).tables, paths);
    assert.equal(server.requests.length, length);
    await warehouse.tables("other");
    assert.ok(server.requests.length > length);
  });

  it("are told not to answer where listing or describing them takes too long (CA-55)", async (t) => {
    const { warehouse } = await open();
    t.mock.method(AbortSignal, "timeout", () => AbortSignal.abort(new DOMException("over", "TimeoutError")));
    const unreachable = [{ source: "acme", message: "BigQuery does not answer." }];
    assert.deepEqual(await warehouse.tables("p"), { tables: [], unreachable });
    await assert.rejects(open(), { rawMessage: "BigQuery does not answer." });
  });

  it("name those that do not exist", async () => {
    await assert.rejects(open([], { tables: ["orders", "gone"] }), { message: /acme\.shop\.gone/ });
  });

  it("list the values of a column within a budget, or none where that is exceeded", async () => {
    const fields = [field("name", "STRING"), field("n", "INTEGER")];
    const rows = [row("York", "2"), row("Leeds", "1")];
    const { source, server } = await open([{ sql: /GROUP BY/, fields, rows }]);
    const table = ["acme", "shop", "orders"];
    assert.deepEqual(await source.distinctValues(table, "name", 5, signal), ["York", "Leeds"]);
    assert.equal(await source.distinctValues(table, "name", 1, signal), undefined);
    assert.equal(await source.distinctValues(table, "tags", 5, signal), undefined);
    const [first] = configurations(server);
    assert.equal(isJsonObject(first?.query) && first.query.maximumBytesBilled, "104857600");
    const fails = { reason: "bytesBilledLimitExceeded", message: "Query exceeded limit" };
    const large = await open([{ sql: /GROUP BY/, fails }]);
    assert.equal(await large.source.distinctValues(table, "name", 5, signal), undefined);
  });
});
