import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres, withoutPostgres } from "#testing";
import { callAs, setRoles, startAccessServer } from "../access/access-server.ts";

const PROJECT = "projects/p";
const APPS = `${PROJECT}/locations/us/apps`;
/** Another server learns of a change within this time (DB-7). */
const WITHIN_MS = 1_000;

it("a policy that is set at one of two servers is in force at the other within a second, given and taken (DB-7)", {
  skip: withoutPostgres(),
}, async () => {
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres();
  resources.defer(() => postgres.stop());
  const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
  const start = async () =>
    resources.use(await startAccessServer(["ann"], { config: { database: { url: postgres.url }, sealing } }));
  const [one, two] = [await start(), await start()];
  const status = async () => (await callAs(two, "ann", "GET", APPS)).status;
  assert.equal(await status(), 403);
  await setRoles(one, PROJECT, { "roles/viewer": ["ann"] });
  await delay(WITHIN_MS);
  assert.equal(await status(), 200);
  await setRoles(one, PROJECT, {});
  await delay(WITHIN_MS);
  assert.equal(await status(), 403);
});
