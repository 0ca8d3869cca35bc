import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SqlSource, Warehouse } from "../contract.ts";
import { assertNoPassword, keepsTheContract } from "../remote/__fixtures__/engine-contract.ts";
import { LIMITS, openRemoteTables, openTables, warehouseOf } from "../remote/__fixtures__/open-tables.ts";
import { startFakeSqlServer } from "./__fixtures__/fake-sqlserver.ts";
import { readConnectionString } from "./connection-options.ts";

describe("a SQL Server, by a fake of its wire", () => {
  const { signal } = new AbortController();
  let server: Awaited<ReturnType<typeof startFakeSqlServer>>;
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    server = await startFakeSqlServer();
    const connectionString = `sqlserver://reader:hush-hush@${server.host}/shop/web`;
    ({ source, warehouse } = await openRemoteTables("sqlserver", connectionString, ["events", "users"]));
  });
  after(async () => {
    await warehouse.close();
    await server.stop();
  });

  const run = (sql: string, limits = {}) => source.query({ sql, limits: { ...LIMITS, ...limits }, signal });

  it("describes tables with comments, row counts and keys", async () => {
    const [events, users] = await source.describe(signal);
    assert.deepEqual([events?.description, events?.rowCount, users?.description], ["What happened", 3, undefined]);
    assert.deepEqual(
      events?.columns.map(({ name, type, mode, description }) => [name, type, mode, description].join(" ").trim()),
      ["id INT64 REQUIRED", "at TIMESTAMP NULLABLE When it was", "price NUMERIC NULLABLE", "user_id INT64 NULLABLE"],
    );
    assert.deepEqual(users?.primaryKey, ["id"]);
    assert.deepEqual(events?.foreignKeys, [
      { columns: ["user_id"], table: ["acme", "web", "users"], referencedColumns: ["id"] },
    ]);
    assert.equal(source.quoteTable(["acme", "web", "events"]), "[shop].[web].[events]");
    assert.deepEqual(server.logins[0], { user: "reader", password: "hush-hush", database: "shop" });
  });

  it("returns cells of every type in the form of the API (CA-18)", async () => {
    const { columns, rows } = await run("SELECT * FROM events", { maxRows: 3 });
    assert.deepEqual(
      columns.map(({ name, type }) => `${name} ${type}`),
      [
        ...["id INT64", "at TIMESTAMP", "local DATETIME", "day DATE", "price NUMERIC", "cost NUMERIC"],
        ...["ratio FLOAT64", "done BOOL", "name STRING", "raw BYTES"],
      ],
    );
    assert.deepEqual(rows.slice(0, 2), [
      [
        ...["9007199254740993", "2026-01-01T10:00:00.1234567Z", "2026-01-01T10:00:00.1234567", "2026-01-01"],
        ...["-4.50", "1.2500", "0.1", "true", "Zoë", "YWI="],
      ],
      ["2", null, null, null, null, null, null, "false", "b", null],
    ]);
  });

  it("refuses numbers that the driver would round, but for the last places of long fractions", async () => {
    assert.deepEqual((await run("SELECT share FROM events")).rows, [["33.33333333333333"]]);
    await assert.rejects(run("SELECT too_precise FROM events"), { kind: "invalid", message: /'n'.*VARCHAR/ });
  });

  it("sends a statement that was written anew, in a transaction that is taken back, with a limit of rows", async () => {
    const { length } = server.batches;
    const text = "it''s 5\\\n%";
    await run(
      `SELECT TOP 5 DATEPART(month, at) m, e.[id] FROM web.events AS e WHERE name = N'${text}' AND done = TRUE -- x`,
    );
    const literal = "(N'it''s 5\\' + N'\n%')";
    assert.deepEqual(server.batches.slice(length), [
      "SET LOCK_TIMEOUT 2000; SET ROWCOUNT 101; BEGIN TRANSACTION",
      `SELECT TOP 5 DATEPART( month , at ) [m] , [e].[id] FROM [shop].[web].[events] AS [e] WHERE [name] = ${literal} AND [done] = 1`,
      "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; SET ROWCOUNT 0",
    ]);
    const truncated = await run("SELECT * FROM events", { maxRows: 2 });
    assert.deepEqual([truncated.rows.length, truncated.truncated], [2, true]);
  });

  const FROM = "FROM [shop].[web].[events] AS [events]";
  for (const [asked, sent] of [
    ["SELECT id FROM events LIMIT 3", `SELECT TOP (3) [id] ${FROM}`],
    ["SELECT DISTINCT id FROM events ORDER BY id LIMIT 3", `SELECT DISTINCT TOP (3) [id] ${FROM} ORDER BY [id]`],
    [
      "SELECT id FROM events ORDER BY id LIMIT 3 OFFSET 6",
      `SELECT [id] ${FROM} ORDER BY [id] OFFSET 6 ROWS FETCH NEXT 3 ROWS ONLY`,
    ],
    ["SELECT id FROM events LIMIT 6, 3", `SELECT [id] ${FROM} ORDER BY 1 OFFSET 6 ROWS FETCH NEXT 3 ROWS ONLY`],
    [
      "SELECT id FROM events UNION ALL SELECT id FROM events LIMIT 3",
      `SELECT [id] ${FROM} UNION ALL SELECT [id] ${FROM} ORDER BY 1 OFFSET 0 ROWS FETCH NEXT 3 ROWS ONLY`,
    ],
    [
      "SELECT count(*) FROM (SELECT id FROM events LIMIT 9) AS r LIMIT 1",
      `SELECT TOP (1) count( * ) FROM ( SELECT TOP (9) [id] ${FROM} ) AS [r]`,
    ],
    [
      "SELECT length(name) FROM events WHERE day >= DATE '2026-01-01' AND at < TIMESTAMP '2026-02-01 00:00:00'",
      `SELECT LEN( [name] ) ${FROM} WHERE day >= CAST(N'2026-01-01' AS DATE) AND at < CAST(N'2026-02-01 00:00:00' AS DATETIME2)`,
    ],
    ["SELECT id FROM events WHERE [a]]b] = 1", `SELECT [id] ${FROM} WHERE [a]]b] = 1`],
    ["SELECT id INTO copied FROM events", `SELECT [id] [INTO] [copied] ${FROM}`],
  ])
    it(`writes as SQL Server does: ${asked}`, async () => {
      const { length } = server.batches;
      await run(asked ?? "");
      assert.equal(server.batches[length + 1], sent);
    });

  keepsTheContract({
    source: () => source,
    calls: () => server.batches.length,
    refused: [
      "DELETE FROM events",
      "EXEC xp_cmdshell 'dir'",
      "SELECT 1; DROP TABLE events",
      "SELECT * FROM secrets",
      "SELECT * FROM other.dbo.secrets",
      "SELECT * FROM [linked].[shop].[web].[events]",
      "SELECT * FROM sys.tables",
      "SELECT * FROM INFORMATION_SCHEMA.TABLES",
      "SELECT * FROM OPENROWSET('SQLNCLI', 'x', 'SELECT 1')",
      "SELECT * FROM OPENQUERY(x, 'SELECT 1')",
      "SELECT * FROM events WITH (TABLOCKX)",
      "SELECT * FROM events CROSS APPLY OPENJSON(name)",
      "SELECT @@VERSION",
      "SELECT @x",
      "SELECT SUSER_SNAME()",
      "SELECT dbo.own(id) FROM events",
      "WAITFOR DELAY '00:00:10'",
      "SELECT id FROM #x",
      "SELECT id FROM events LIMIT ALL",
    ],
    columns: ["SELECT count(*) AS n, avg(price) AS n FROM events", ["n INT64", "n_1 NUMERIC"]],
    plan: ["SELECT id FROM events", /^ +\|--Clustered Index Scan\n +\|--Filter$/],
    errors: [
      ["SELECT no_such_column FROM events", "invalid"],
      ["SELECT forbidden FROM events", "permission"],
      ["SELECT broken FROM events", "failed"],
    ],
    endless: {
      sql: "SELECT never_ends FROM events",
      watch: () => {
        const { attentions } = server.state;
        return {
          isRunning: () => server.state.running > 0,
          assertEnded: () => assert.deepEqual(server.state, { running: 0, attentions: attentions + 1 }),
        };
      },
    },
  });

  it("opens eight connections at most, for which others wait", async () => {
    const { length } = server.logins;
    await Promise.all(Array.from({ length: 30 }, () => run("SELECT id FROM events")));
    assert.ok(server.logins.length - length <= 8, `${server.logins.length - length}`);
  });

  it("keeps connections that did all that was asked of them", async () => {
    await run("SELECT id FROM events");
    const { length } = server.logins;
    for (let at = 0; at < 3; at++) await run("SELECT id FROM events");
    assert.equal(server.logins.length, length);
  });

  it("tells what is wrong with a connection, and shows no password", async () => {
    const at = (text: string) => () => text;
    const databases = warehouseOf({
      remote: [
        {
          name: ["acme", "web"],
          engine: "sqlserver",
          connectionString: at(`sqlserver://x:wrong-one@${server.host}/shop`),
        },
        {
          name: ["acme", "gone"],
          engine: "sqlserver",
          connectionString: at("sqlserver://x:wrong-one@127.0.0.1:1/shop"),
        },
      ],
    });
    const open = (dataset: string) => openTables(databases, ["acme", dataset], ["events"]);
    await assertNoPassword(open("web"), /Login failed for user 'x'/, /wrong-one/);
    await assertNoPassword(open("gone"), /cannot be reached/, /wrong-one/);
    await databases.close();
    for (const text of ["sqlserver://x:hush@h", "x:hush@h/shop", "sqlserver://x:hush@h/shop?encrypt=never"])
      assert.throws(() => readConnectionString(text), { message: /^(?!.*hush)/ }, text);
  });

  it("verifies certificates except on this machine", () => {
    const { options } = readConnectionString("sqlserver://x:y@db.example.com/shop").configuration;
    assert.deepEqual([options?.encrypt, options?.trustServerCertificate, options?.port], [true, false, 1433]);
  });
});
