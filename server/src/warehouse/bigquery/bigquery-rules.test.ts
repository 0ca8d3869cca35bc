import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isJsonObject, type JsonObject } from "#base";
import { type BigQueryAnswer, type GoogleServer, startBigQuery } from "#testing/google";
import type { SqlSource, TablePath, Warehouse } from "../contract.ts";
import { createWarehouse } from "../create-warehouse.ts";
import { LIMITS, openTables } from "../remote/__fixtures__/open-tables.ts";
import { type TableRestriction, withRestrictions } from "../restricted/restricted-source.ts";

const reference = (tableId: string): JsonObject => ({ projectId: "acme", datasetId: "shop", tableId });
const table = (tableId: string, fields: Readonly<Record<string, string>>, more: JsonObject = {}): JsonObject => ({
  ...{ tableReference: reference(tableId), type: "TABLE" },
  schema: { fields: Object.entries(fields).map(([name, type]) => ({ name, type })) },
  ...more,
});
const TABLES = [
  table("orders", { id: "INTEGER", region: "STRING", margin: "FLOAT", placed: "DATETIME", tags: "STRING" }),
  table("stores", { id: "INTEGER", city: "STRING" }),
  table("salaries", { id: "INTEGER" }),
  table("all_orders", { id: "INTEGER" }, { type: "VIEW", view: { query: "SELECT id FROM `acme.shop.orders`" } }),
  table("late_orders", { id: "INTEGER" }, { type: "VIEW", view: { query: "SELECT id FROM all_orders" } }),
];
/** What BigQuery's dry run would tell: a statement with a view reads what is behind it too. */
const reading = (sql: RegExp, ...tables: readonly string[]): BigQueryAnswer => ({
  sql,
  referencedTables: tables.map(reference),
});
const ANSWERS = [
  reading(/SELECT 1 FROM `acme\.shop\.late_orders`$/, "orders"),
  reading(/late_orders[\s\S]*orders`? WHERE/, "orders"),
  reading(/late_orders/, "orders"),
  reading(/stores[\s\S]*orders|orders[\s\S]*stores/, "orders", "stores"),
  reading(/orders/, "orders"),
  reading(/stores/, "stores"),
];
const RESTRICTIONS: Readonly<Record<string, TableRestriction>> = {
  orders: {
    kind: "part",
    rows: {
      kind: "all",
      parts: [
        { kind: "compare", column: "region", operator: "=", value: "No'rth" },
        { kind: "compare", column: "placed", operator: ">=", value: "2026-01-01T00:00" },
      ],
    },
    hiddenColumns: ["margin"],
  },
  salaries: { kind: "nothing" },
};
const SELECT =
  "SELECT `id`, `region`, `placed`, `tags` FROM `acme.shop.orders` WHERE (`region` = 'No\\'rth') AND (`placed` >= DATETIME '2026-01-01 00:00') LIMIT 9223372036854775807";

describe("tables of BigQuery of which a caller sees a part (CA-49)", () => {
  const { signal } = new AbortController();
  let server: GoogleServer;
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    server = await startBigQuery({ tables: TABLES, answers: ANSWERS });
    const access = { endpoint: server.address, accessToken: async () => "token-1" };
    const bigquery = [{ name: ["acme"] as const, access }];
    warehouse = createWarehouse({ sources: [], bigquery, memory: "256MB", spillDir: "/nonexistent" });
    const names = ["orders", "stores", "salaries", "all_orders", "late_orders"];
    const whole = await openTables(warehouse, ["acme", "shop"], names);
    source = withRestrictions(whole, {
      viewer: "ann",
      of: (path: TablePath, reads): TableRestriction => {
        const own = RESTRICTIONS[path.at(-1) ?? ""];
        return own ?? (reads.some((name) => name in RESTRICTIONS) ? { kind: "nothing" } : { kind: "all" });
      },
      faulty: (_path, error) => error as Error,
    });
  });
  after(async () => {
    await warehouse.close();
    await server[Symbol.asyncDispose]();
  });

  const statements = () =>
    server.requests.flatMap(({ message: { configuration } }) => {
      const query = isJsonObject(configuration) ? configuration.query : undefined;
      return isJsonObject(query) ? [String(query.query)] : [];
    });
  const run = (sql: string, more: object = {}) => source.query({ sql, limits: LIMITS, signal, ...more });

  it("have neither what is hidden nor views over it in their schemas", async () => {
    const tables = await source.describe(signal);
    assert.deepEqual(
      tables.map(({ path, columns }) => [path.at(-1), ...columns.map(({ name }) => name)]),
      [
        ["orders", "id", "region", "placed", "tags"],
        ["stores", "id", "city"],
        // Its text does not say that it reads the table; its dry run does.
        ["late_orders", "id"],
      ],
    );
  });

  it("are read through a SELECT with the condition and without the hidden columns", async () => {
    for (const [sql, written] of [
      ["SELECT COUNT(*) FROM `acme.shop.orders`", `SELECT COUNT( * ) FROM (${SELECT}) AS \`orders\``],
      ["SELECT o.id FROM shop.orders AS o # x", `SELECT \`o\`.\`id\` FROM (${SELECT}) AS \`o\``],
      ["SELECT * EXCEPT (id) FROM orders", `SELECT * EXCEPT ( \`id\` ) FROM (${SELECT}) AS \`orders\``],
      [
        "SELECT s.city, ARRAY_AGG(o.id ORDER BY o.id LIMIT 1)[OFFSET(0)] FROM stores s JOIN orders o USING (id) GROUP BY 1",
        `SELECT \`s\`.\`city\` , ARRAY_AGG( \`o\`.\`id\` ORDER BY \`o\`.\`id\` LIMIT 1 ) [ OFFSET( 0 ) ] FROM \`acme\`.\`shop\`.\`stores\` \`s\` JOIN (${SELECT}) \`o\` USING ( \`id\` ) GROUP BY 1`,
      ],
      [
        "WITH orders AS (SELECT id, tags FROM orders) SELECT tag, pos FROM orders, UNNEST(SPLIT(tags)) AS tag WITH OFFSET AS pos",
        `WITH \`orders\` AS ( SELECT \`id\` , \`tags\` FROM (${SELECT}) AS \`orders\` ) SELECT \`tag\` , \`pos\` FROM \`orders\` , UNNEST( SPLIT( \`tags\` ) ) AS \`tag\` WITH OFFSET AS \`pos\``,
      ],
    ] as const) {
      await run(sql);
      assert.equal(statements().at(-1), written, sql);
    }
  });

  it("take values of parameters as literals", async () => {
    await run("SELECT id FROM orders WHERE region = @r", {
      parameters: [{ name: "r", type: "STRING", value: "x' OR '1" }],
    });
    assert.match(statements().at(-1) ?? "", /`region` = 'x\\' OR \\'1'$/);
  });

  it("are as they are where no rule names them, and the plan is told to nobody", async () => {
    await run("SELECT id FROM stores");
    assert.equal(statements().at(-1), "SELECT `id` FROM `acme`.`shop`.`stores` AS `stores`");
    assert.deepEqual(await source.explain({ sql: "SELECT id FROM orders", limits: LIMITS, signal }), {
      plan: "",
      scannedBytes: 1000,
    });
  });

  it("are not read where the caller sees nothing, through views, or by a text that was not understood", async () => {
    for (const sql of [
      "SELECT id FROM salaries",
      "SELECT id FROM `acme.shop.salaries`",
      "SELECT id FROM all_orders",
      "SELECT id FROM late_orders",
      "SELECT l.id FROM late_orders AS l JOIN orders AS o USING (id)",
      "SELECT id FROM `acme.shop.ord*`",
      "SELECT id FROM `acme.shop.INFORMATION_SCHEMA.TABLES`",
      "SELECT '''x''' FROM orders",
      "SELECT '\\x41' FROM orders",
      "SELECT id FROM orders; SELECT id FROM salaries",
      "FROM orders |> SELECT id",
    ]) {
      const { kind } = await source.check(sql, [], signal);
      assert.match(kind, /rejected|invalid/, sql);
      await assert.rejects(run(sql), { kind: /^(rejected|invalid)$/ }, sql);
    }
    assert.ok(!statements().some((sql) => /salaries/.test(sql)));
  });
});
