import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrowserContext } from "playwright-core";
import { restOf } from "../rest.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { saying, storeConversation } from "./stored-conversations.ts";

/** More than the server reads for one page. */
const COUNT = 10_100;
/** What the database cannot answer: the conversation is the oldest. */
const FILTER = "customer_conversation_id : rare";
const NOON = Date.UTC(2026, 10, 20, 12);

describe("one conversation behind ten thousand that a filter has to read (DB-28)", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    const turn = { messages: [saying("user", "Question")] };
    await storeConversation(console.server, "the-rare-one", [turn], NOON);
    const others = Array.from({ length: COUNT }, (_, at) =>
      storeConversation(console.server, `often-${at}`, [turn], NOON + 1 + at),
    );
    await Promise.all(others);
  });
  after(() => console[Symbol.asyncDispose]());

  it("is on the second page: the first one ends empty, with a token", async () => {
    const rest = restOf(() => console.server);
    const page = (token: string) =>
      rest("GET", `${APP}/conversations?filter=${encodeURIComponent(FILTER)}&pageToken=${token}`);
    const { nextPageToken, ...first } = await page("");
    assert.deepEqual(first, {});
    const second = await page(nextPageToken);
    assert.deepEqual(
      [second.conversations.map(({ name }: { name: string }) => name), second.nextPageToken],
      [[`${APP}/conversations/the-rare-one`], undefined],
    );
  });

  it("is found by the console without a press", async () => {
    await using opened = await console.open(`/console/${APP}/conversations`);
    const { page, faults } = opened;
    await page.getByText("100 conversations (the newest; more available)").waitFor();
    await page.getByText("Advanced filter").click();
    await page.getByLabel("Filter expression").fill(FILTER);
    await page.getByText("1 conversation", { exact: true }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
    assert.deepEqual(faults, []);
  });

  it("tells that the database needs too long, and is not asked for again until the search is another (DB-29)", async () => {
    let asked = 0;
    const before = async (context: BrowserContext) => {
      await context.clock.install();
      await context.route("**/ListConversations*", (route) => {
        asked += 1;
        const body = { code: "deadline_exceeded", message: "The database did not finish this list." };
        return route.fulfill({ status: 504, contentType: "application/json", body: JSON.stringify(body) });
      });
    };
    await using opened = await console.open(`/console/${APP}/conversations`, { before });
    const { page } = opened;
    await page.getByText("The database did not finish this list.").waitFor();
    await page.clock.fastForward("01:00");
    // The page may have been drawn twice while it was loaded.
    const atFirst = asked;
    for (let minute = 0; minute < 5; minute += 1) await page.clock.fastForward("01:00");
    assert.equal(asked, atFirst);
    const again = page.waitForRequest("**/ListConversations*");
    await page.getByLabel("Search transcript").fill("needle");
    await page.clock.fastForward("00:10");
    await again;
  });
});
