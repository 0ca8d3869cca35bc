import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { tlsFault, tlsOptionsOf } from "./tls-options.ts";

const CA = fileURLToPath(new URL("../../../test/wire/__fixtures__/localhost.crt", import.meta.url));
const BASE = "postgres://desk:p%40ss@db:5432/desk";

/** What TLS checks of a server under an address. */
function checks(query: string): string {
  const tls = tlsOptionsOf(`${BASE}?${query}`).read();
  if (tls === false) return "no TLS";
  if (tls.rejectUnauthorized === false) return "nothing";
  const host = tls.checkServerIdentity ? "" : " and host";
  return `authority${host}${tls.ca ? "" : ", public"}`;
}

describe("the TLS of an address of PostgreSQL (DB-20)", () => {
  const modes: readonly (readonly [query: string, checks: string])[] = [
    ["", "no TLS"],
    ["sslmode=disable", "no TLS"],
    ["ssl=false", "no TLS"],
    ["sslmode=require", "nothing"],
    [`sslmode=require&sslrootcert=${CA}`, "authority"],
    [`sslmode=verify-ca&sslrootcert=${CA}`, "authority"],
    ["sslmode=verify-full", "authority and host, public"],
    ["sslmode=verify-full&sslrootcert=system", "authority and host, public"],
    ["ssl=true", "authority and host, public"],
    ["sslnegotiation=direct", "authority and host, public"],
    [`sslmode=verify-full&sslrootcert=${CA}`, "authority and host"],
    [`sslrootcert=${CA}`, "authority and host"],
  ];
  for (const [query, expected] of modes)
    it(`checks ${expected} with '${query.replace(CA, "file")}'`, () => assert.equal(checks(query), expected));

  it("is taken out of the address that the driver gets, which warns of modes and means other things by them", () => {
    const { address } = tlsOptionsOf(`${BASE}?sslmode=require&application_name=a`);
    assert.equal(address, `${BASE}?application_name=a`);
    assert.equal(tlsOptionsOf(BASE).address, BASE);
  });

  it("is refused in one sentence when a mode is unknown, or would not protect as its name says", () => {
    const wrong = (query: string) => tlsFault(`${BASE}?${query}`);
    assert.match(`${wrong("sslmode=enforce")}`, /^has sslmode=enforce, which is no mode: use sslmode disable, require/);
    assert.match(`${wrong("ssl=yes")}`, /^has ssl=yes, which is no mode/);
    for (const mode of ["allow", "prefer"])
      assert.match(`${wrong(`sslmode=${mode}`)}`, /would go on without encryption: use disable, require/);
    assert.match(`${wrong("sslmode=verify-ca")}`, /without sslrootcert/);
    assert.match(`${wrong("sslmode=require&sslrootcert=system")}`, /use it with sslmode=verify-full/);
    assert.match(`${wrong("sslmode=disable&sslnegotiation=direct")}`, /use require, verify-ca or verify-full/);
    assert.equal(wrong("sslmode=require"), undefined);
  });

  it("names a file that is missing", () => {
    const { read } = tlsOptionsOf(`${BASE}?sslmode=verify-full&sslrootcert=/none.pem`);
    assert.throws(read, /The file '\/none\.pem', sslrootcert of FRONTDESK_DATABASE_URL, cannot be read \(ENOENT\)/);
  });
});
