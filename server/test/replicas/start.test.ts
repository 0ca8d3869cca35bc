import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres, startTestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";

describe("a start over a database", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());

  it("with a wrong clock is up and not ready, says why, and needs no restart once the clock is set (DB-9)", async () => {
    let ahead = 60_000;
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    await using server = await startTestServer({
      clock: { now: () => Date.now() + ahead },
      example: true,
      config: { database: { url: postgres.url, connections: 4 }, sealing },
    });
    const ready = () => fetch(`${server.address}/readyz`);
    const refused = await ready();
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /^storage: The clock of this machine .* differ by 60 s/);
    assert.match(await fetch(`${server.address}/metrics`).then((page) => page.text()), /^frontdesk_ready 0$/m);
    assert.match(await server.banner(false), /Frontdesk is up at/);
    ahead = 0;
    while ((await ready()).status !== 200) await delay(50);
    while ((await fetch(`${server.address}/v1beta/${APP}`)).status !== 200) await delay(50);
  });
});
