import assert from "node:assert/strict";
import { createHash, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { SqlSource, Warehouse } from "../contract.ts";
import { keepsTheContract } from "../remote/__fixtures__/engine-contract.ts";
import { LIMITS, openRemoteTables } from "../remote/__fixtures__/open-tables.ts";
import { startFakeSnowflake } from "./__fixtures__/fake-snowflake.ts";
import { loginHeaders, readSnowflakeAddress } from "./login.ts";

describe("a Snowflake account, by a fake of its SQL API", () => {
  const { signal } = new AbortController();
  let server: Awaited<ReturnType<typeof startFakeSnowflake>>;
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    server = await startFakeSnowflake();
    const connectionString = `http://reader:hush-hush@${server.host}/SHOP/WEB?warehouse=SMALL&role=READER`;
    ({ source, warehouse } = await openRemoteTables("snowflake", connectionString, ["events", "users"]));
  });
  after(async () => {
    await warehouse.close();
    await server.stop();
  });

  const run = (sql: string, limits = {}) => source.query({ sql, limits: { ...LIMITS, ...limits }, signal });
  const called = (at: number) => {
    const { method, url } = server.calls.at(at) ?? {};
    return `${method} ${url?.pathname}${url?.searchParams.has("partition") ? `?${url.searchParams}` : ""}`;
  };

  it("describes tables with comments, row counts and declared keys", async () => {
    const [events, users] = await source.describe(signal);
    assert.deepEqual([events?.description, events?.rowCount], ["What happened", 1000]);
    assert.deepEqual(
      events?.columns.map(({ name, type, mode }) => `${name} ${type} ${mode}`),
      ["ID INT64 REQUIRED", "AT TIMESTAMP NULLABLE", "PRICE NUMERIC NULLABLE", "USER_ID INT64 NULLABLE"],
    );
    assert.deepEqual(users?.primaryKey, ["ID"]);
    assert.deepEqual(events?.foreignKeys, [
      { columns: ["USER_ID"], table: ["acme", "web", "users"], referencedColumns: ["ID"] },
    ]);
  });

  it("returns cells in the form of the API, from as many partitions as are needed", async () => {
    const { rows, truncated } = await run("SELECT * FROM events WHERE slow", { maxRows: 1 });
    const moments = ["2026-01-01T10:00:00.5Z", "2026-01-01", "1969-12-31T23:59:58.5"];
    assert.deepEqual(rows, [["1", ...moments, "4.50", "true", '["a","b"]', "AQI="]]);
    assert.deepEqual([truncated, called(-1)], [true, called(-1).replace(/\?.*$/, "?partition=1")]);
    assert.equal((await run("SELECT * FROM events")).rows.length, 3);
  });

  it("sends a statement that was written anew, alone, with limits that Snowflake keeps", async () => {
    const { length } = server.calls;
    await run(
      "SELECT date_trunc('month', at) m, t.id FROM web.events AS t WHERE price > 2 QUALIFY rank() OVER (ORDER BY id) = 1 -- x",
    );
    const { body, headers } = server.calls[length] ?? {};
    const { statement, ...rest } = JSON.parse(body ?? "");
    assert.equal(
      statement,
      `SELECT date_trunc( 'month' , "AT" ) "M" , "T"."ID" FROM "SHOP"."WEB"."EVENTS" AS "T" WHERE "PRICE" > 2 QUALIFY rank( ) OVER ( ORDER BY "ID" ) = 1`,
    );
    assert.deepEqual(rest, {
      ...{ timeout: 5, warehouse: "SMALL", role: "READER" },
      parameters: { timezone: "UTC", query_tag: "frontdesk", multi_statement_count: "1", rows_per_resultset: "101" },
    });
    assert.equal(headers?.authorization, "Bearer hush-hush");
    assert.equal(headers?.["x-snowflake-authorization-token-type"], "PROGRAMMATIC_ACCESS_TOKEN");
  });

  keepsTheContract({
    source: () => source,
    calls: () => server.calls.length,
    refused: [
      "DELETE FROM events",
      "CREATE TABLE x AS SELECT * FROM events",
      "CALL system$wait(1)",
      "SELECT system$cancel_all_queries(1) FROM events",
      "SELECT * FROM secrets",
      "SELECT * FROM shop.information_schema.tables",
      "SELECT * FROM @stage/x.csv",
      "SELECT $1 FROM @~",
      "SELECT * FROM TABLE(result_scan('x'))",
      "SELECT * FROM IDENTIFIER('secrets')",
      "SELECT * FROM events AT(OFFSET => -60)",
      "SELECT current_user() FROM events",
      "SELECT seq.nextval FROM events",
      "SELECT 1; DROP TABLE events",
      "SELECT $$x$$",
    ],
    columns: ["SELECT count(*) AS n, avg(price) AS n FROM events", ["N INT64", "N_1 FLOAT64"]],
    plan: ["SELECT id FROM events", /^Result\nTableScan SHOP\.WEB\.EVENTS$/],
    errors: [
      ["SELECT no_such_column FROM events", "invalid"],
      ["SELECT forbidden FROM events", "permission"],
      ["SELECT too_long FROM events", "timeout"],
    ],
    endless: {
      sql: "SELECT never_ends FROM events",
      watch: () => {
        const { length } = server.calls;
        return {
          isRunning: () => server.calls.slice(length).some(({ method }) => method === "GET"),
          assertEnded: () => assert.match(called(-1), /^POST \/api\/v2\/statements\/\d+\/cancel$/),
        };
      },
    },
  });

  it("tells what a statement would read before it runs, and keeps a budget of it", async () => {
    const check = await source.check("SELECT count(*) AS n FROM events", [], signal);
    assert.equal(check.kind === "accepted" && check.scannedBytes, 4096);
    const plan = await source.explain({ sql: "SELECT id FROM events", limits: LIMITS, signal });
    assert.equal(plan.scannedBytes, 4096);
    await assert.rejects(run("SELECT id FROM events", { maxScannedBytes: 10 }), { kind: "too-expensive" });
    assert.equal((await run("SELECT id FROM events", { maxScannedBytes: 5000 })).rows.length, 3);
  });
});

describe("the login of Snowflake", () => {
  it("signs a token with the key of the user", (test) => {
    const folder = mkdtempSync(join(tmpdir(), "snowflake-"));
    test.after(() => rmSync(folder, { recursive: true }));
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "der" },
      privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "hush" },
    });
    const file = join(folder, "key.p8");
    writeFileSync(file, privateKey);
    const text = `https://ada:hush@myorg-acct.eu-west-1.snowflakecomputing.com/SHOP?private-key=${encodeURIComponent(file)}`;
    const headers = loginHeaders(readSnowflakeAddress({ connectionString: () => text }), 1_800_000_000_000);
    assert.equal(headers["x-snowflake-authorization-token-type"], "KEYPAIR_JWT");
    const [head = "", claims = "", signature = ""] = headers.authorization?.slice("Bearer ".length).split(".") ?? [];
    const iss = `MYORG-ACCT.ADA.SHA256:${createHash("sha256").update(publicKey).digest("base64")}`;
    const times = { iat: 1_800_000_000, exp: 1_800_000_600 };
    assert.deepEqual(JSON.parse(Buffer.from(claims, "base64url").toString()), { iss, sub: "MYORG-ACCT.ADA", ...times });
    const key = createPublicKey({ key: publicKey, type: "spki", format: "der" });
    assert.ok(verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url")));
  });

  it("sends no token without TLS, and shows none in errors", () => {
    const withoutSecret = { message: /^(?!.*hush)/ };
    for (const text of ["http://u:hush@x.example.com/DB", "https://u:hush@x.example.com", "u:hush@x"])
      assert.throws(() => readSnowflakeAddress({ connectionString: () => text }), withoutSecret, text);
    const unknown = readSnowflakeAddress({
      connectionString: () => "https://u:hush@x.example.com/DB?authenticator=externalbrowser",
    });
    assert.throws(() => loginHeaders(unknown), { message: /may be programmatic_access_token or oauth/ });
  });
});
