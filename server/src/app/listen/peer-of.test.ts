import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { createPeerOf } from "./peer-of.ts";

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as IncomingMessage;

describe("the address of a client", () => {
  const cases: Readonly<
    Record<string, readonly [request: IncomingMessage, proxies: readonly string[], expected: string]>
  > = {
    "is the other end of its connection": [from("203.0.113.7"), [], "203.0.113.7"],
    "is written as IPv4 when it is one": [from("::ffff:203.0.113.7"), [], "203.0.113.7"],
    "is not what it says without a trusted proxy": [from("203.0.113.7", "10.0.0.1"), [], "203.0.113.7"],
    "is not what it says when the proxy is another": [from("203.0.113.7", "10.0.0.1"), ["10.0.0.0/8"], "203.0.113.7"],
    "is what a trusted proxy says": [from("10.0.0.9", "203.0.113.7"), ["10.0.0.0/8"], "203.0.113.7"],
    "is the last that a trusted proxy did not add": [
      from("10.0.0.9", "127.0.0.1, 198.51.100.1, 203.0.113.7, 10.0.0.8"),
      ["10.0.0.0/8"],
      "203.0.113.7",
    ],
    "is that of one proxy by its address": [from("2001:db8::1", "203.0.113.7"), ["2001:db8::1"], "203.0.113.7"],
    "is the proxy's own when it says nothing that is an address": [
      from("10.0.0.9", "unknown"),
      ["10.0.0.9"],
      "10.0.0.9",
    ],
  };
  for (const [name, [request, proxies, expected]] of Object.entries(cases)) {
    it(name, () => assert.equal(createPeerOf(proxies)(request).address, expected));
  }
});
