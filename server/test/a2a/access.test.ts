import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { callAs, setRoles, startAccessServer, tokenOf } from "../access/access-server.ts";
import { wiresTo } from "./wires.ts";

const PARENT = "projects/city/locations/us";
const APP = `${PARENT}/apps/the-guide`;

let server: TestServer;
before(async () => {
  server = await startAccessServer(["ann", "bob"]);
  await callAs(server, "root", "POST", `${PARENT}/apps?appId=the-guide`, { displayName: "Guide of the city" });
  await setRoles(server, APP, { "roles/ces.client": ["ann"] });
});
after(() => server[Symbol.asyncDispose]());

const as = (name: string): Record<string, string> => (name === "" ? {} : { authorization: `Bearer ${tokenOf(name)}` });

async function cardOf(name: string, tenant: string) {
  const path = tenant === "" ? "" : `/a2a/${tenant}`;
  const response = await fetch(`${server.address}${path}/.well-known/agent-card.json`, { headers: as(name) });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  return { caching: response.headers.get("cache-control"), card: (await response.json()) as any };
}

describe("a server that wants to know its callers (A2A-19)", () => {
  const REFUSED = {
    bob: { "JSON-RPC": -32000, "HTTP+JSON": 403, gRPC: 7 },
    "": { "JSON-RPC": -32000, "HTTP+JSON": 401, gRPC: 16 },
  };
  for (const tenant of [APP, ""]) {
    it(`lets those who may talk to the app call it at ${tenant || "the address without a name"}, on every binding`, async () => {
      for (const wire of wiresTo(server.address, tenant)) {
        for (const [method, params] of [
          ["listTasks", {}],
          ["getExtendedAgentCard", {}],
        ] as const) {
          assert.equal((await wire.call(method, params, as("ann"))).fault, undefined, `${wire.name} ${method}`);
          for (const [name, codes] of Object.entries(REFUSED)) {
            const { fault } = await wire.call(method, params, as(name));
            assert.equal(fault?.code, codes[wire.name], `${wire.name} ${method} of '${name}'`);
          }
        }
        wire.close();
      }
    });
  }

  it("shows the card to those who may call, and how to sign in to everybody else", async () => {
    for (const tenant of [APP, ""]) {
      const { caching, card } = await cardOf("ann", tenant);
      assert.equal(card.name, "Guide of the city");
      assert.match(caching ?? "", /^private/);
      for (const name of ["bob", ""]) {
        const shown = await cardOf(name, tenant);
        assert.doesNotMatch(JSON.stringify(shown.card), /Guide/);
        assert.deepEqual(shown.card.securitySchemes, card.securitySchemes);
        assert.ok(shown.card.securityRequirements.length > 0);
      }
    }
  });

  it("does not tell strangers which apps there are", async () => {
    const { card } = await cardOf("bob", APP);
    const other = await cardOf("bob", `${PARENT}/apps/nothing-here`);
    assert.deepEqual(JSON.parse(JSON.stringify(other.card).replaceAll("nothing-here", "the-guide")), card);
  });

  it("shows the card of the operator's agent to everybody", async () => {
    await using other = await startAccessServer([], { config: { a2a: { agent: APP } } });
    await callAs(other, "root", "POST", `${PARENT}/apps?appId=the-guide`, { displayName: "Guide of the city" });
    const response = await fetch(`${other.address}/.well-known/agent-card.json`);
    assert.equal(((await response.json()) as { readonly name: string }).name, "Guide of the city");
  });
});
