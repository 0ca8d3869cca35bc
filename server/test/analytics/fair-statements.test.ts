import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { callAs, memberOf, tokenOf } from "../access/access-server.ts";
import { LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

const AGENT = `${LOCATION}/dataAgents/sales`;
/** Works for minutes, in memory and without rows. */
const ENDLESS = "SELECT sum(a.range * b.range) AS n FROM range(2000000) a, range(2000000) b";

describe("statements of several callers over files", () => {
  let server: TestServer;
  before(async () => {
    const identities = ["ann", "gus"].map((name) => ({
      principal: memberOf(name),
      token: tokenOf(name),
      roles: ["roles/owner"],
    }));
    server = await startDataServer({
      config: {
        auth: { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] },
        identities,
      },
    });
    const dataAnalyticsAgent = { publishedContext: { datasourceReferences: ORDERS_REFERENCE } };
    const path = `${LOCATION}/dataAgents:createSync?dataAgentId=sales`;
    assert.equal((await callAs(server, "ann", "POST", path, { dataAnalyticsAgent })).status, 200);
  });
  after(() => server[Symbol.asyncDispose]());

  it("take turns by caller: one that asks for endless work keeps nobody else waiting for its end (CA-64)", async () => {
    const leaving = new AbortController();
    let ended = 0;
    const endless = Array.from({ length: 12 }, () =>
      fetch(`${server.address}/v1beta/${AGENT}:runStatement`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf("gus")}` },
        body: JSON.stringify({ sqlQuery: ENDLESS }),
        signal: leaving.signal,
      })
        .catch(() => undefined)
        .finally(() => {
          ended += 1;
        }),
    );
    for (let asked = 0; asked < 5; asked++) {
      const sqlQuery = `SELECT sum(quantity) + ${asked} AS n FROM acme.sales.orders`;
      const { status, json } = await callAs(server, "ann", "POST", `${AGENT}:runStatement`, { sqlQuery });
      assert.equal(status, 200, JSON.stringify(json));
      assert.deepEqual(json.result.data, [{ n: String(13 + asked) }]);
    }
    assert.equal(ended, 0, "the endless statements still run or wait");
    leaving.abort();
    await Promise.all(endless);
  });
});
