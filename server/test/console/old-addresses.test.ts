import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { APP, type Console, converse, openConsole, withoutBrowser } from "./open-console.ts";

const PATH = `/console/${APP}`;

/** Addresses of earlier releases, and where they lead. A query string and a hash come along. */
const MOVED: readonly (readonly [before: string, after: string])[] = [
  [PATH, `${PATH}/simulator`],
  [`${PATH}/`, `${PATH}/simulator`],
  [
    `${PATH}?sessions=first-session~second-session#here`,
    `${PATH}/simulator?sessions=first-session~second-session#here`,
  ],
  ["/console/data", "/console/projects/local/locations/us/dataAgents/shop"],
  [`${PATH}/conversations?view=numbers#plots`, `${PATH}/conversations?view=metrics#plots`],
  [
    `${PATH}/conversations?time=between&from=2026-11-01&words=my+order&outcome=stopped&id=web-1&more=turn_count+%3E+1`,
    `${PATH}/conversations?time=custom&from=2026-11-01&transcript=my+order&outcome=guardrail&session=web-1&filter=turn_count+%3E+1`,
  ],
  [`${PATH}/settings?tab=records`, `${PATH}/settings?tab=logging`],
  [`${PATH}/guardrails/no-card-numbers?tab=check#top`, `${PATH}/guardrails/no-card-numbers?tab=condition#top`],
];

describe("an address of an earlier release", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    for (const id of ["first-session", "second-session"])
      await converse(console.server, id, "Where is my order A-1001?");
  });
  after(() => console[Symbol.asyncDispose]());

  for (const [old, current] of MOVED) {
    it(`redirects ${old}`, async () => {
      await using opened = await console.open(old);
      const { page, faults } = opened;
      const address = new URL(current, console.server.address);
      await page.waitForURL(({ pathname }) => pathname === address.pathname);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const found = new URL(page.url());
      const wanted = new URLSearchParams(address.search);
      for (const [name, value] of wanted) assert.equal(found.searchParams.get(name)?.replaceAll('"', ""), value, name);
      assert.equal(found.hash, address.hash);
      assert.deepEqual(faults, []);
    });
  }

  it("is not left in the history of the browser", async () => {
    await using opened = await console.open("/console/server");
    const { page } = opened;
    await page.goto(`${console.server.address}${PATH}/settings?tab=records`);
    await page.getByRole("tab", { name: "Logging and privacy", selected: true }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Server" }).first().waitFor();
  });
});
