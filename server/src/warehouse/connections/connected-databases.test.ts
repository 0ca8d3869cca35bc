import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createEgress } from "#base";
import { startFakeClickHouse } from "../clickhouse/__fixtures__/fake-clickhouse.ts";
import { QueryError } from "../contract.ts";
import { createWarehouse } from "../create-warehouse.ts";
import { startFakeSqlServer } from "../sqlserver/__fixtures__/fake-sqlserver.ts";
import { isHostPattern, isListedHost } from "./allowed-hosts.ts";
import { connectionStringOf, type DatabaseAddress } from "./database-address.ts";

const ADDRESS: DatabaseAddress = {
  ...{ engine: "clickhouse", host: "db.example.com", port: 8443, database: "shop", warehouse: "" },
  ...{ user: "reader", password: "hush-hush", tls: "disabled", ca: "" },
};

/** The connections of a warehouse that may reach these hosts; private ones are open to the gate as `open` says. */
function connectionsOf(t: TestContext, hosts: readonly string[], open: readonly string[]) {
  const egress = createEgress({ allowedPrivateHosts: open });
  const warehouse = createWarehouse(
    { sources: [], memory: "256MB", spillDir: "/nowhere", connectionHosts: hosts },
    { egress },
  );
  t.after(async () => {
    await warehouse.close();
    await egress.close();
  });
  assert.ok(warehouse.connections);
  return warehouse.connections;
}

function placed(place: string, more: Partial<DatabaseAddress>): () => DatabaseAddress {
  const { hostname: host, port } = new URL(`http://${place}`);
  return () => ({ ...ADDRESS, host, port: Number(port), ...more });
}

describe("hosts that may be connected to", () => {
  it("are listed by name, by what they end with, or all, with a port if only that one is meant", () => {
    const listed = (pattern: string, host: string, port = 5432) => isListedHost([pattern], host, port);
    assert.ok(listed("db.example.com", "DB.example.com") && listed("db.example.com:5432", "db.example.com"));
    assert.ok(listed("*.example.com", "a.b.example.com") && listed("*", "10.0.0.1") && listed("[::1]:5432", "::1"));
    for (const [pattern, host] of [
      ["db.example.com:5433", "db.example.com"],
      ["*.example.com", "example.com"],
      ["*.example.com", "badexample.com"],
      ["example.com", "db.example.com"],
      ["", "db.example.com"],
    ] as const)
      assert.ok(!listed(pattern, host), `${pattern} ${host}`);
    for (const wrong of ["https://db", "db/x", "a b", "*.", "d*b", "db:"]) assert.ok(!isHostPattern(wrong), wrong);
  });
});

describe("connected databases (CA-63)", () => {
  it("are reached through the gate by engines with HTTP and by drivers that take a socket", async (t) => {
    const [http, tds] = [await startFakeClickHouse(), await startFakeSqlServer()];
    t.after(() => Promise.all([http.stop(), tds.stop()]));
    for (const [place, more, tables] of [
      [http.host, {}, 2],
      [tds.host, { engine: "sqlserver" }, 3],
    ] as const) {
      const state = { schema: more === undefined ? "" : "engine" in more ? "web" : "", address: placed(place, more) };
      assert.equal(await connectionsOf(t, [place], [place]).probe(state), tables);
      const refused = (pattern: RegExp) => (error: unknown) => {
        assert.ok(error instanceof QueryError);
        assert.match(error.message, pattern);
        assert.doesNotMatch(error.message, /hush/);
        return true;
      };
      // Listed, and yet private: the gate has a setting of its own.
      await assert.rejects(connectionsOf(t, [place], []).probe(state), refused(/loopback.*FRONTDESK_EGRESS_ALLOW/));
      await assert.rejects(connectionsOf(t, [], [place]).probe(state), refused(/FRONTDESK_CONNECTION_HOSTS/));
    }
  });

  it("have addresses of which no part becomes an option", () => {
    const hostile = { database: "a/b?x=1&y", user: "u:p@h", password: "p@/?#%" };
    for (const engine of ["postgresql", "mysql", "sqlserver", "redshift", "clickhouse", "trino"] as const) {
      const url = new URL(connectionStringOf({ ...ADDRESS, ...hostile, engine }));
      assert.equal(url.hostname, "db.example.com", engine);
      assert.deepEqual([url.username, url.password].map(decodeURIComponent), [hostile.user, hostile.password]);
      assert.equal(decodeURIComponent(url.pathname.slice(1)), hostile.database);
      assert.deepEqual(
        [...url.searchParams.keys()].filter((key) => key !== "ssl-mode" && key !== "encrypt"),
        [],
      );
    }
    const databricks = connectionStringOf({
      ...ADDRESS,
      engine: "databricks",
      tls: "verify",
      user: "",
      warehouse: "w 1",
    });
    assert.equal(databricks, "https://token:hush-hush@db.example.com:8443/shop?warehouse=w+1");
  });
});
