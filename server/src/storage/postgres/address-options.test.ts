import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressFault, addressOptionsOf } from "./address-options.ts";

const BASE = "postgres://desk:hidden@db:5432/desk";

describe("the options of an address of PostgreSQL (DB-22)", () => {
  const faults: readonly (readonly [query: string, fault: RegExp])[] = [
    ["sslmod=require", /^has the option 'sslmod', which nothing reads: write 'sslmode', or take it out$/],
    ["ssl_mode=verify-full", /write 'sslmode'/],
    ["SSLMODE=require", /write 'sslmode'/],
    ["sslmode=require&conect_timeout=5", /write 'connect_timeout'/],
    ["pgbouncer=true", /^has the option 'pgbouncer', which nothing reads: take it out\. Options are sslmode, /],
    ["replication=database", /^has the option 'replication', which nothing reads/],
    ["sslcrl=/etc/revoked.pem", /^has the option 'sslcrl', which nothing reads/],
    ["sslmode=require&sslmode=disable", /^has the option 'sslmode' twice: leave one out$/],
    ["connect_timeout=soon", /^has connect_timeout=soon: use seconds, from 1 to 9999$/],
    ["connect_timeout=0", /^has connect_timeout=0: use seconds/],
    ["channel_binding=required", /^has channel_binding=required: use disable, prefer, require, or take it out$/],
    [
      "target_session_attrs=standby",
      /^has target_session_attrs=standby: use any, read-write, primary, or take it out$/,
    ],
    ["client_encoding=LATIN1", /^has client_encoding=LATIN1: use UTF8/],
  ];
  for (const [query, fault] of faults)
    it(`are refused with what to write: ${query}`, () => {
      assert.match(`${addressFault(`${BASE}?${query}`)}`, fault);
      assert.throws(() => addressOptionsOf(`${BASE}?${query}`), /^StorageError: FRONTDESK_DATABASE_URL has/);
    });

  const pasted = [
    "sslmode=require&channel_binding=require",
    "sslmode=verify-full&options=--cluster%3Ddesk-42",
    "sslmode=require&connect_timeout=10&application_name=desk",
    "target_session_attrs=read-write&gssencmode=disable&statement_timeout=30000",
    "host=/var/run/postgresql",
  ];
  for (const query of pasted)
    it(`of addresses that providers give are taken: ${query}`, () =>
      assert.equal(addressFault(`${BASE}?${query}`), undefined));

  it("are read, and the driver gets those that are its own", () => {
    const query = "connect_timeout=7&channel_binding=prefer&gssencmode=disable&application_name=desk";
    const { address, connectTimeoutMs, channelBinding } = addressOptionsOf(`${BASE}?${query}`);
    assert.deepEqual([address, connectTimeoutMs, channelBinding], [`${BASE}?application_name=desk`, 7_000, "prefer"]);
    assert.equal(addressOptionsOf(BASE).address, BASE);
  });
});
