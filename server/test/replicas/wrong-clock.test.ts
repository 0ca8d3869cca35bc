import assert from "node:assert/strict";
import { it } from "node:test";
import { startPostgres, startTestServer, withoutPostgres } from "#testing";
import { restOf } from "../rest.ts";

const LOCATION = "projects/p/locations/us";
const FOREVER = new AbortController().signal;

it("a server whose clock is not the database's changes nothing, while the others do (DB-9)", {
  skip: withoutPostgres(),
}, async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
  const config = { database: { url: postgres.url, connections: 4 }, sealing };
  await using right = await startTestServer({ config });
  const ahead = { now: () => Date.now() + 400 * 86_400_000 };
  await using wrong = await startTestServer({ config, clock: ahead });
  const create = (id: string) => ({ method: "POST", body: JSON.stringify({ displayName: id }) });
  const refused = await fetch(`${wrong.address}/v1beta/${LOCATION}/apps?appId=refused`, create("refused"));
  assert.equal(refused.status, 503);
  assert.match(await refused.text(), /The clock of this machine and that of the database .* differ by 34560000 s/);
  assert.equal((await fetch(`${wrong.address}/readyz`)).status, 503);
  // The first pass of the right server says where the time is; the wrong one moves nothing.
  await right.app.keep(FOREVER);
  await wrong.app.keep(FOREVER);
  await restOf(() => right)("POST", `${LOCATION}/apps?appId=created`, { displayName: "Created" });
  assert.equal(await right.app.clockWatch.doubt(), undefined);
  const { apps } = await restOf(() => wrong)("GET", `${LOCATION}/apps`);
  assert.deepEqual(
    apps.map(({ displayName }: { displayName: string }) => displayName),
    ["Created"],
  );
});
