import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { callAs, startAccessServer } from "../access/access-server.ts";

/**
 * Long runs of one character. An expression that tries each start of one with each end stops the server for everybody: for some hours here, so the limit
 * of these tests says nothing of how fast a machine is.
 */
const LIMIT = { timeout: 120_000 };

let server: TestServer;
before(async () => {
  server = await startAccessServer(["ann"]);
});
after(() => server[Symbol.asyncDispose]());

const APP = "projects/acme/locations/us/apps/pottery";

async function statusOf(path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${server.address}/${path}`, init);
  await response.arrayBuffer();
  return response.status;
}

const run = (character: string, length = 1_000_000) => character.repeat(length);

describe("a long run of one character", () => {
  it("in the name of a parameter is refused, from a caller without a credential too", LIMIT, async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-http-method-override": "GET" };
    for (const character of "[]._") {
      const body = `${encodeURIComponent(run(character, 80_000))}=1`;
      for (let time = 0; time < 20; time++)
        assert.equal(await statusOf(`v1beta/${APP}/agents`, { method: "POST", headers, body }), 400);
    }
  });

  it("in the tags of a page is no tag of it, from a caller without a credential too", LIMIT, async () => {
    for (const character of ["\t", " ", ","])
      for (let time = 0; time < 100; time++)
        assert.equal(await statusOf("", { headers: { "if-none-match": `"x${run(character, 30_000)}x"` } }), 200);
  });

  it("in a member of a policy is refused", LIMIT, async () => {
    for (const member of [`domain:a${run(".a", 500_000)}:`, `domain${run(":")}\n`, `user:${run("a")}`]) {
      const policy = { bindings: [{ role: "roles/viewer", members: [member] }] };
      const { status, json } = await callAs(server, "root", "POST", "projects/acme:setIamPolicy", { policy });
      assert.equal(status, 400);
      assert.match(json.error.message, /is no member/);
    }
  });
});
