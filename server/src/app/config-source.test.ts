import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { readConfig } from "./config.ts";

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

  for (const [what, content, message] of [
    ["unknown settings", "prt: 1", /^FRONTDESK_CONFIG_CONTENT is invalid: .*prt/],
    ["text that is no YAML", "a: [", /^FRONTDESK_CONFIG_CONTENT is not valid YAML or JSON/],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.throws(() => read(content), { name: "ConfigError", message });
    });

  it("is refused beside a file, because one of them would not count", () => {
    assert.throws(() => read("port: 1", { FRONTDESK_CONFIG: "desk.yaml" }), { message: /are both set; use one/ });
  });
});
