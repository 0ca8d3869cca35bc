import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { BETA_RESOURCES, DATA_AGENT_CONFIGURED } from "./beta-configurations.ts";
import { RESOURCES } from "./configurations.ts";
import { Terraform } from "./provider.ts";
import { APP_ID, APP_TYPE, type Configured, LOCATION } from "./resource-types.ts";

const VERSIONS: Readonly<Record<string, readonly Configured[]>> = {
  v1: RESOURCES,
  v1beta: [...RESOURCES, ...BETA_RESOURCES, DATA_AGENT_CONFIGURED],
};

for (const [version, resources] of Object.entries(VERSIONS))
  describe(`Terraform's provider, with ${version}`, () => {
    let server: TestServer;
    let terraform: Terraform;
    before(async () => {
      server = await startTestServer();
      terraform = new Terraform(`${server.address}/${version}/`, LOCATION);
    });
    after(() => server[Symbol.asyncDispose]());

    for (const { what, type, id, created, changed } of resources)
      it(`creates and changes ${what}, and then plans nothing`, async () => {
        for (const config of [created, changed ?? created]) {
          await terraform.apply(type, id, config);
          assert.deepEqual(await terraform.plan(type, id), []);
        }
      });

    it("sets and clears the root agent", async () => {
      const set = await terraform.associate(APP_ID, "front-desk");
      assert.equal(set.rootAgent, `${LOCATION}/apps/${APP_ID}/agents/front-desk`);
      const cleared = await terraform.associate(APP_ID, null);
      assert.equal(cleared.rootAgent, undefined);
      assert.deepEqual(await terraform.plan(APP_TYPE, APP_ID), []);
    });

    it("destroys everything, in reverse order", async () => {
      for (const { what, type, id } of resources.toReversed())
        if (type.idParameter !== "singleton") assert.ok(await terraform.destroy(type, id), what);
    });
  });
