import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createEgress } from "#base";
import {
  startMariaDb,
  startPostgres,
  startTestServer,
  type TestServer,
  type ThrowawayMariaDb,
  type ThrowawayPostgres,
  withoutMariaDb,
  withoutPostgres,
} from "#testing";
import { callRest, LOCATION } from "./data-server.ts";

const PASSWORD = "hush-hush-1";
const fixture = (name: string) => fileURLToPath(new URL(`../wire/__fixtures__/${name}`, import.meta.url));
const CERTIFICATE = readFileSync(fixture("localhost.crt"), "utf8");
const TABLES = `CREATE TABLE orders (id int PRIMARY KEY, region text, total numeric(9, 2));
  INSERT INTO orders VALUES (1, 'North', 10), (2, 'South', 5), (3, 'North', 2.5);`;
const identities = ["ann", "ben", "boss"].map((name) => ({
  principal: `user:${name}@example.com`,
  token: `token-of-${name}-0123456789`,
  roles: [
    ...(name === "boss" ? ["roles/geminidataanalytics.admin"] : ["roles/geminidataanalytics.dataAgentCreator"]),
    "roles/geminidataanalytics.queryDataUser",
  ],
}));

// biome-ignore lint/suspicious/noExplicitAny: JSON of the API
type Json = any;

describe("databases that people connect (CA-61, CA-62, CA-63)", { skip: withoutPostgres() ?? withoutMariaDb() }, () => {
  let postgres: ThrowawayPostgres;
  let mariadb: ThrowawayMariaDb;
  let store: ThrowawayPostgres;
  const servers: TestServer[] = [];
  before(async () => {
    const tls = { cert: fixture("localhost.crt"), key: fixture("localhost.key") };
    [postgres, mariadb, store] = await Promise.all([
      startPostgres({ password: PASSWORD, tls }),
      startMariaDb(),
      startPostgres(),
    ]);
    const owner = new pg.Client({ connectionString: postgres.url });
    await owner.connect();
    await owner.query(TABLES);
    await owner.end();
    const { createConnection } = await import("mysql2/promise");
    const other = await createConnection({ uri: mariadb.url, multipleStatements: true });
    await other.query(`CREATE DATABASE shop; USE shop; ${TABLES.replace("text", "varchar(20)")}`);
    await other.end();
    const hosts = [`localhost:${portOf(postgres)}`, `127.0.0.1:${portOf(mariadb)}`];
    const config = {
      ...{ identities, sealing: { from: "environment", text: randomBytes(32).toString("base64") } },
      egressAllow: hosts,
      database: { url: store.url, connections: 2 },
    };
    servers.push(await start(config, [...hosts, "*.example.com", "127.0.0.1:1"]));
    servers.push(await start(config, hosts));
  });
  after(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await Promise.all([postgres?.stop(), mariadb?.stop(), store?.stop()]);
  });

  const start = (config: object, connectionHosts: readonly string[]) =>
    startTestServer({
      config: { ...config, warehouse: { sources: [], memory: "256MB", spillDir: "/nowhere", connectionHosts } },
    });
  const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port);
  const call = (method: string, path: string, body?: object, { as = "ann", replica = 0 } = {}) =>
    callRest(servers[replica] as TestServer, method, `/v1beta/${path}`, body, {
      authorization: `Bearer token-of-${as}-0123456789`,
    });
  const shop = (more: object = {}) => ({
    ...{ displayName: "Shop", engine: "POSTGRESQL", host: "localhost", port: portOf(postgres), database: "postgres" },
    ...{ user: "owner", password: PASSWORD, caCertificate: CERTIFICATE, ...more },
  });
  const connect = async (body: object, as = "ann") => {
    const { status, json } = await call("POST", `${LOCATION}/dataConnections`, body, { as });
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  };
  const referencesTo = (name: string) => ({
    bq: { tableReferences: [{ projectId: "p", datasetId: name.split("/").at(-1), tableId: "orders" }] },
  });
  const ask = (datasourceReferences: object, more: { as?: string; replica?: number } = {}) =>
    call(
      "POST",
      `${LOCATION}:chat`,
      { messages: [{ userMessage: { text: "total total by region" } }], inlineContext: { datasourceReferences } },
      more,
    );
  const rowsOf = ({ json }: { json: Json }) =>
    json.find?.(({ systemMessage }: Json) => systemMessage?.data?.result)?.systemMessage.data.result.data ?? json;
  const problemOf = ({ status, json }: { status: number; json: Json }) => {
    assert.equal(status, 400, JSON.stringify(json));
    const violations = json.error.details.flatMap((detail: Json) => detail.fieldViolations ?? []);
    assert.equal(violations.length, 1, JSON.stringify(json));
    return `${violations[0].field}: ${violations[0].description}`;
  };

  it("are asked by everybody's servers, on PostgreSQL and on MariaDB", async () => {
    const maria = { engine: "MYSQL", host: "127.0.0.1", port: portOf(mariadb), database: "shop", tlsMode: "DISABLED" };
    for (const body of [shop(), shop({ ...maria, caCertificate: "" })]) {
      const made = await connect(body);
      assert.match(made.name, /^projects\/p\/locations\/global\/dataConnections\/connection_[0-9a-f]{32}$/);
      assert.deepEqual([made.creator, made.tableCount], ["user:ann@example.com", 1]);
      for (const replica of [0, 1]) {
        const rows = rowsOf(await ask(referencesTo(made.name), { replica }));
        assert.ok(Array.isArray(rows), JSON.stringify(rows));
        assert.deepEqual(
          rows.map(({ region, ...row }: Json) => [region, Number(Object.values(row)[0])]),
          [
            ["North", 12.5],
            ["South", 5],
          ],
          JSON.stringify(rows),
        );
      }
      const { json } = await call("GET", `${LOCATION}/dataTables?query=orders`, undefined, { replica: 1 });
      const listed = json.dataTables.map((table: Json) => table.bigqueryTableReference.datasetId);
      assert.ok(made.name.endsWith(listed.at(-1)) || made.name.endsWith(listed[0]), JSON.stringify(json));
      assert.deepEqual((await call("POST", `${made.name}:test`, {}, { replica: 1 })).json, { tableCount: 1 });
      await call("DELETE", made.name);
      const gone = await ask(referencesTo(made.name), { replica: 1 });
      assert.match(JSON.stringify(gone.json), /PERMISSION_DENIED|DATA_CONNECTION_UNKNOWN/);
    }
  });

  it("never show their password, nor store it in the open", async () => {
    const made = await connect(shop());
    const patch = (mask: string, more: object) => call("PATCH", `${made.name}?updateMask=${mask}`, more);
    const answers = [
      made,
      (await call("GET", made.name)).json,
      (await call("GET", `${LOCATION}/dataConnections`)).json,
      (await patch("display_name", { displayName: "Renamed" })).json,
      (await patch("password", { password: "not-that-2" })).json,
      (await call("POST", `${LOCATION}/dataConnections?validateOnly=true`, shop())).json,
    ];
    assert.equal(answers[3].displayName, "Renamed");
    assert.doesNotMatch(JSON.stringify(answers), /hush-hush|not-that/);
    assert.match(JSON.stringify(answers[4]), /data_connection.password/);
    const client = new pg.Client({ connectionString: store.url });
    await client.connect();
    const { rows } = await client.query("SELECT * FROM resources");
    const audit = await client.query("SELECT * FROM audit").catch(() => ({ rows: [] }));
    await client.end();
    const text = JSON.stringify([...rows, ...audit.rows], (_, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
    );
    assert.match(text, /connection_/);
    for (const form of [PASSWORD, Buffer.from(PASSWORD).toString("base64").slice(0, 12)])
      assert.ok(!text.includes(form), form);
    // The new one was refused, so the last one holds.
    assert.equal((await call("POST", `${made.name}:test`, {})).json.tableCount, 1);
    const moved = await patch("host", { host: "127.0.0.1" });
    assert.match(problemOf(moved), /^update_mask: 'host' cannot be changed/);
    await call("DELETE", made.name);
  });

  it("take another password at once, on every server that asks them", async () => {
    const made = await connect(shop());
    for (const replica of [0, 1]) assert.equal(rowsOf(await ask(referencesTo(made.name), { replica })).length, 2);
    const owner = new pg.Client({ connectionString: postgres.url });
    await owner.connect();
    await owner.query("ALTER ROLE owner PASSWORD 'second-2'");
    const path = `${made.name}?updateMask=password`;
    const changed = await call("PATCH", path, { password: "second-2" }, { replica: 1 });
    assert.equal(changed.status, 200, JSON.stringify(changed.json));
    const others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'frontdesk'";
    await owner.query(others);
    for (const replica of [0, 1]) {
      const answer = await ask(referencesTo(made.name), { replica });
      assert.equal(rowsOf(answer).length, 2, JSON.stringify(answer.json));
    }
    await owner.query(`ALTER ROLE owner PASSWORD '${PASSWORD}'`);
    await owner.end();
    await call("DELETE", made.name);
  });

  it("that cannot be connected say which field is in the way", async () => {
    const attempt = async (more: object) => problemOf(await call("POST", `${LOCATION}/dataConnections`, shop(more)));
    const port = portOf(postgres);
    assert.match(
      await attempt({ password: "wrong" }),
      /^data_connection.password: 'localhost:\d+' refused the login; /,
    );
    assert.match(await attempt({ database: "none" }), /^data_connection.database: .* has no database 'none'/);
    assert.match(
      await attempt({ caCertificate: "" }),
      /^data_connection.tls_mode: TLS with .* failed .*ca_certificate/,
    );
    assert.match(
      await attempt({ engine: "ENGINE_UNSPECIFIED" }),
      /^data_connection.engine: Give one of POSTGRESQL, MYSQL/,
    );
    assert.match(
      await attempt({ host: "127.0.0.1", port: 1 }),
      /^data_connection.host: .*127.0.0.1 is a loopback address/,
    );
    assert.match(await attempt({ host: "nowhere.example.com" }), /^data_connection.host: There is no host/);
    assert.match(
      await attempt({ host: "db.acme.test" }),
      /^data_connection.host: .*may not be connected to.*FRONTDESK_CONNECTION_HOSTS=db.acme.test:\d+.*warehouse.connectionHosts/,
    );
    const maria = { engine: "MYSQL", host: "127.0.0.1", port: portOf(mariadb), database: "shop", caCertificate: "" };
    assert.match(await attempt({ ...maria, tlsMode: "VERIFY" }), /^data_connection.tls_mode: /);
    assert.match(
      await attempt({ ...maria, tlsMode: "DISABLED", database: "none" }),
      /^data_connection.(database|schema): /,
    );
    assert.match(
      await attempt({ engine: "TRINO", tlsMode: "REQUIRE" }),
      /^data_connection.tls_mode: .*VERIFY or DISABLED/,
    );
    assert.match(await attempt({ password: "" }), /^data_connection.password: /);
    assert.match(await attempt({ host: "a/b?x" }), /^data_connection.host: /);
    assert.ok(port > 0);
  });

  it("belong to who connected them, by whatever reference they are named", async () => {
    const made = await connect(shop());
    const id = made.name.split("/").at(-1);
    const asBen = { as: "ben" };
    for (const [method, path, body] of [
      ["GET", made.name],
      ["PATCH", `${made.name}?updateMask=display_name`, { displayName: "Mine" }],
      ["POST", `${made.name}:test`, {}],
      ["DELETE", made.name],
    ] as const)
      assert.equal((await call(method, path, body, asBen)).status, 403, `${method} ${path}`);
    assert.deepEqual((await call("GET", `${LOCATION}/dataConnections`, undefined, asBen)).json, {});
    assert.deepEqual((await call("GET", `${LOCATION}/dataTables`, undefined, asBen)).json, {});
    // It is ready to be read, because its owner has asked it.
    rowsOf(await ask(referencesTo(made.name)));
    const databaseReference = { projectId: "p", region: "r", instanceId: "i", databaseId: id, tableIds: ["orders"] };
    for (const references of [
      referencesTo(made.name),
      { alloydb: { databaseReference: { ...databaseReference, clusterId: "c" } } },
      { cloudSqlReference: { databaseReference: { ...databaseReference, engine: "POSTGRESQL" } } },
      { spannerReference: { databaseReference: { ...databaseReference, engine: "POSTGRESQL" } } },
    ]) {
      const refused = await ask(references, asBen);
      assert.match(JSON.stringify(refused.json), /PERMISSION_DENIED/, JSON.stringify(references));
      const asked = { prompt: "total total by region", context: { datasourceReferences: references } };
      const query = await call("POST", `${LOCATION}:queryData`, asked, asBen);
      assert.equal(query.status, 403, JSON.stringify(query.json));
      const elsewhere = await callRest(
        servers[0] as TestServer,
        "POST",
        `/v1beta/projects/q/locations/global:chat`,
        {
          ...{
            messages: [{ userMessage: { text: "how many orders?" } }],
            inlineContext: { datasourceReferences: references },
          },
        },
        { authorization: "Bearer token-of-boss-0123456789" },
      );
      assert.match(JSON.stringify(elsewhere.json), /DATA_CONNECTION_UNKNOWN/);
    }
    assert.equal((await call("GET", made.name, undefined, { as: "boss" })).status, 200);
    await call("DELETE", made.name);
  });

  it("are removed after it is told which agents read them", async () => {
    const made = await connect(shop());
    const dataAnalyticsAgent = { publishedContext: { datasourceReferences: referencesTo(made.name) } };
    const agent = `${LOCATION}/dataAgents/reader`;
    const created = await call("POST", `${LOCATION}/dataAgents:createSync?dataAgentId=reader`, { dataAnalyticsAgent });
    assert.equal(created.status, 200, JSON.stringify(created.json));
    const run = () => call("POST", `${agent}:runStatement`, { sqlQuery: "SELECT id FROM orders ORDER BY id" });
    const { json: shown } = await run();
    assert.equal(shown.result?.data.length, 3, JSON.stringify(shown));
    assert.deepEqual((await call("GET", made.name)).json.dataAgents, [agent]);
    const { json } = await call("DELETE", made.name);
    assert.equal(json.error.details[0].reason, "DATA_CONNECTION_IN_USE");
    assert.match(json.error.message, /a data agent reads it \(.*dataAgents\/reader\)/);
    assert.equal((await call("DELETE", `${made.name}?force=true`)).status, 200);
    assert.equal((await run()).json.error?.details[0].reason, "DATA_CONNECTION_UNKNOWN");
    assert.equal((await call("GET", made.name, undefined, { as: "boss" })).status, 404);
  });
});

describe("the gate that databases are connected through (CA-63)", () => {
  it("pins the address that it has checked, so that a name cannot come to mean a private one", async () => {
    const answers = ["93.184.216.34", "127.0.0.1"];
    const asked: string[] = [];
    const egress = createEgress(
      { allowedPrivateHosts: ["open.example.com:1"] },
      {
        resolve: async (host) => {
          asked.push(host);
          return [{ address: host === "open.example.com" ? "127.0.0.1" : (answers[1] ?? ""), family: 4 }];
        },
      },
    );
    const failure = (host: string) =>
      new Promise<Error>((resolve) =>
        egress
          .connect(host, 1)
          .once("error", resolve)
          .once("connect", () => resolve(new Error("connected"))),
      );
    assert.match(
      (await failure("rebound.example.com")).message,
      /127.0.0.1 is a loopback address.*FRONTDESK_EGRESS_ALLOW/,
    );
    assert.match((await failure("127.0.0.1")).message, /127.0.0.1 is a loopback address/);
    assert.match((await failure("::ffff:10.0.0.1")).message, /private address/);
    assert.match((await failure("open.example.com")).message, /ECONNREFUSED 127.0.0.1:1/);
    assert.deepEqual(asked, ["rebound.example.com", "open.example.com"]);
    await egress.close();
  });
});
