import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { startAccessServer, tokenOf } from "../access/access-server.ts";

const LOCATION = "projects/local/locations/us";
const MEBIBYTE = 1024 * 1024;

let server: TestServer;
before(async () => {
  server = await startAccessServer([]);
});
after(() => server[Symbol.asyncDispose]());

/** Bodies that are refused for their length alone, before anything is made of them. */
const PLACES: Readonly<Record<string, readonly [path: string, contentType: string]>> = {
  "a method over REST": [`/v1beta/${LOCATION}/apps`, "application/json"],
  "a message of MCP": ["/mcp", "application/json"],
  "a message of A2A": [`/a2a/${LOCATION}/apps/order-desk`, "application/json"],
  "a batch": ["/batch", 'multipart/mixed; boundary="edge"'],
};

async function send(place: keyof typeof PLACES, bytes: number, headers: Readonly<Record<string, string>>) {
  const [path = "", type = ""] = PLACES[place] ?? [];
  const body = `{"displayName":"${"x".repeat(bytes)}"}`;
  const init = { method: "POST", headers: { "content-type": type, ...headers }, body };
  const response = await fetch(`${server.address}${path}`, init);
  return `${response.status} ${await response.text()}`;
}

describe("a caller without a credential, where callers must be known (WIRE-72)", () => {
  for (const place in PLACES) {
    it(`sends a mebibyte at most: ${place}`, async () => {
      assert.match(await send(place, MEBIBYTE, {}), /size exceeds the limit: 1048576 bytes/);
      assert.doesNotMatch(await send(place, MEBIBYTE - 100, {}), /exceeds the limit: 1048576/);
      const known = { authorization: `Bearer ${tokenOf("root")}` };
      assert.doesNotMatch(await send(place, MEBIBYTE, known), /exceeds the limit: 1048576/);
    });
  }
});
