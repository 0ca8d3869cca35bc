import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { readConfig } from "../config.ts";

describe("the configuration by environment alone", () => {
  const read = (content: string, more: NodeJS.ProcessEnv = {}) =>
    readConfig([], { FRONTDESK_CONFIG_CONTENT: content, ...more });

  it("has every setting of the file, as YAML or JSON, with paths relative to the working directory", () => {
    const config = read("drainSeconds: 7\ndrainDelaySeconds: 3\nrecord: recordings\naudit: { keepDays: 2 }\n");
    assert.deepEqual(
      [config.drainMs, config.drainDelayMs, config.recordDir, config.audit.keepMs],
      [7_000, 3_000, resolve("recordings"), 2 * 86_400_000],
    );
    assert.equal(read('{"evaluation": {"concurrency": 3}}').evaluation.concurrency, 3);
  });

  it("gives way to variables of their own, as a file does", () => {
    assert.equal(read("port: 1", { FRONTDESK_PORT: "2" }).port, 2);
    assert.equal(read("drainDelaySeconds: 3", { FRONTDESK_DRAIN_DELAY_SECONDS: "0" }).drainDelayMs, 0);
    assert.throws(() => read("", { FRONTDESK_DRAIN_DELAY_SECONDS: "5s" }), {
      message: /FRONTDESK_DRAIN_DELAY_SECONDS/,
    });
  });

  it("is refused by the name of what has the wrong value", () => {
    const refused = (content: string, more: NodeJS.ProcessEnv, message: RegExp) =>
      assert.throws(() => read(content, more), { name: "ConfigError", message });
    refused("", { FRONTDESK_LOG: "loud" }, /^FRONTDESK_LOG is 'loud'; use one of trace, /);
    refused(
      "",
      { FRONTDESK_PORT: "80a" },
      /^FRONTDESK_PORT is '80a', which is not a port\. Use a number from 0 to 65535\.$/,
    );
    refused("", { FRONTDESK_PORT: "tcp://10.0.0.1:80" }, /Kubernetes sets it so .*: set enableServiceLinks: false/);
    refused("log: loud", {}, /^FRONTDESK_CONFIG_CONTENT is invalid: log: /);
    refused(
      "search: { dataStores: { handbook: { folder: docs } } }",
      {},
      /search\.dataStores\.handbook: the key must look like projects\/\*\/locations\/\*\/collections/,
    );
    const pathless =
      /^The origin is 'https:\/\/desk\.example\.com\/ces', which has more than a scheme, a host and a port/;
    refused("", { FRONTDESK_ORIGIN: "https://desk.example.com/ces" }, pathless);
    refused("auth: { origin: 'https://desk.example.com/ces' }", {}, /auth\.origin: must be an address without a path/);
    refused("mcp: { origin: 'https://desk.example.com/ces' }", {}, /mcp\.origin: must be an address without a path/);
    assert.equal(
      read("", { FRONTDESK_ORIGIN: "https://desk.example.com:443/" }).auth.origin,
      "https://desk.example.com",
    );
  });

  it("is refused where a list has what no request could ever name, and reads the rest as requests write it", () => {
    const hosts = (...allow: string[]) => read(JSON.stringify({ egress: { allow } })).egressAllow;
    for (const entry of [
      "10.0.0.0/8",
      "*.internal",
      "crm.internal:*",
      "http://crm.internal:8443",
      "crm.internal:99999",
    ])
      assert.throws(() => hosts(entry), {
        name: "ConfigError",
        message: `egress.allow has '${entry}', which would never count; use name or name:port, e.g. crm.internal:8443; without a port all are meant.`,
      });
    assert.throws(() => read("", { FRONTDESK_EGRESS_ALLOW: "localhost, 10.0.0.0/8" }), {
      message: /^FRONTDESK_EGRESS_ALLOW has '10\.0\.0\.0\/8', which would never count/,
    });
    assert.deepEqual(hosts("CRM.internal:80", "10.1.2.3", "::1", "[fd00::1]:8443"), [
      "crm.internal:80",
      "10.1.2.3",
      "::1",
      "fd00::1:8443",
    ]);
    const origins = (...allowedOrigins: string[]) => read(JSON.stringify({ allowedOrigins })).allowedOrigins;
    for (const entry of ["desk.example.com", "https://*.example.com", "https://example.com/desk", "desk:8080"])
      assert.throws(() => origins(entry), {
        message: /^allowedOrigins has '.*', which would never count; use scheme and host/,
      });
    assert.deepEqual(
      origins("*", "null", "tauri://localhost", "https://Desk.example.com:443/", "http://localhost:3000"),
      [...["*", "null", "tauri://localhost"], "https://desk.example.com", "http://localhost:3000"],
    );
  });

  it("is refused with what is wrong in the form that was meant, where a key has several", () => {
    const faultIn = (content: object) => {
      try {
        read(JSON.stringify(content));
      } catch (error) {
        return (error as Error).message.replace(/^FRONTDESK_CONFIG_CONTENT is invalid: /, "");
      }
      return "no fault";
    };
    const source = (value: unknown) => faultIn({ warehouse: { sources: { s: value } } });
    assert.match(
      source({ kind: "postgres", url: "x" }),
      /^warehouse\.sources\.s: must have one of the keys path, postgres, .*mysql/,
    );
    assert.match(source({ postgres: { env: "PG" }, schem: "a" }), /^warehouse\.sources\.s: Unrecognized key: "schem"$/);
    assert.match(source({ path: 1 }), /^warehouse\.sources\.s\.path: .*expected string, received number$/);
    assert.match(
      source({ postgres: { environment: "PG" } }),
      /^warehouse\.sources\.s\.postgres: must have one of the keys env, file$/,
    );
    const bucket = faultIn({ cloudStorage: { buckets: [{ name: "b", app: ["a"] }] } });
    assert.match(
      bucket,
      /^cloudStorage\.buckets\.0\.apps: .*received undefined; cloudStorage\.buckets\.0: Unrecognized key: "app"$/,
    );
  });

  for (const [what, content, message] of [
    ["unknown settings", "prt: 1", /^FRONTDESK_CONFIG_CONTENT is invalid: .*prt/],
    ["text that is no YAML", "a: [", /^FRONTDESK_CONFIG_CONTENT is not valid YAML or JSON/],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.throws(() => read(content), { name: "ConfigError", message });
    });

  for (const [what, content, place] of [
    ["a quote that is not closed", 'models:\n  a: { apiKey: "PLANTED }\n', "line 3, column 1"],
    ["a tab", "models:\n\ta: { apiKey: PLANTED }\n", "line 2, column 1"],
    ["JSON without a comma", '{"apiKey": "PLANTED" "port": 1}', "line 1, column 22"],
    ["a value that is left over", "[1]\nPLANTED", "line 2, column 1"],
    ["a value that begins so", "apiKey: @PLANTED", "line 1, column 9"],
    ["an escape that is none", 'apiKey: "\\qPLANTED"', "line 1, column 10"],
    ["a stray bracket", "a: 1\n} PLANTED", "line 2, column 1"],
  ] as const)
    it(`is refused for ${what} by its place, and quotes no key that stands around it`, () => {
      assert.throws(
        () => read(content),
        ({ message }: Error) => message.endsWith(` at ${place}.`) && !message.includes("PLANTED"),
      );
    });

  it("is refused for an alias of nothing", () => {
    assert.throws(() => read("port: *PLANTED"), {
      message: /^FRONTDESK_CONFIG_CONTENT is not valid YAML or JSON: an alias has no anchor before it/,
    });
  });

  it("is refused beside a file, because one of them would not count", () => {
    assert.throws(() => read("port: 1", { FRONTDESK_CONFIG: "desk.yaml" }), { message: /are both set; use one/ });
  });
});
