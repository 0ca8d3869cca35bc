import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
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
});
