import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { choose } from "./chat.ts";
import { APP, type Console, converse, openConsole, withoutBrowser } from "./open-console.ts";

describe("the page of quotas", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    const turns = { measure: "turns", limit: 2, everyMs: 3_600_000, burst: 2 } as const;
    const rules = [
      { ...turns, per: "app" } as const,
      { ...turns, per: "project", limit: 1_000, burst: 1_000 } as const,
    ];
    console = await openConsole({ config: { quotas: { rules, prices: {}, turnsAtOnce: 100 } } });
    for (const session of ["first-session", "second-session"]) await converse(console.server, session, "Hello");
  });
  after(() => console[Symbol.asyncDispose]());

  it("shows who used up which limit, and when the next use is granted", async () => {
    await using opened = await console.open("/console/quotas");
    const { page } = opened;
    const rows = page.getByRole("table").getByRole("row");
    const full = rows.filter({ hasText: APP });
    await full.getByText("2 of 2").waitFor();
    await full.getByText("2 turns every 60 min for each app").waitFor();
    await full.getByText(/^In 30 min$/).waitFor();
    await rows.filter({ hasText: "of 1,000" }).getByText("Now").waitFor();
    assert.equal(await page.getByRole("listitem").filter({ hasText: "1,000 turns every 60 min" }).count(), 1);
    assert.deepEqual(await violations(page), []);
    await choose(page, page.getByRole("button", { name: /Limit/ }), "1,000 turns every 60 min for each project");
    await full.waitFor({ state: "detached" });
    await page.waitForURL(/limit=/);
    assert.deepEqual(opened.faults, []);
  });
});
