import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const TOKEN = "ana-may-ask-everything";
const ASK = "/console/projects/local/locations/us/dataAgents/shop";

describe("a server that knows its callers", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    const roles = ["roles/geminidataanalytics.admin"];
    console = await openConsole({
      config: { identities: [{ principal: "user:ana@example.com", token: TOKEN, roles }] },
    });
  });
  after(() => console[Symbol.asyncDispose]());

  it("is given a token once, which the tab keeps and other tabs do not have", async () => {
    await using opened = await console.open(ASK);
    const { page } = opened;
    await page.getByText("requires an access token").waitFor();
    assert.deepEqual(await violations(page), []);
    await give(page, TOKEN);
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    assert.equal(await page.getByText("requires an access token").count(), 0);
    await page.reload();
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    await page.getByRole("button", { name: "Access token (set)" }).click();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Remove token" }).click();
    await page.getByText("requires an access token").waitFor();
    const other = await page.context().newPage();
    await other.goto(console.server.address + ASK);
    await other.getByText("requires an access token").waitFor();
  });

  it("keeps the question when the token is no longer accepted, and answers it with another one", async () => {
    await using opened = await console.open(ASK, { width: 360 });
    const { page } = opened;
    await give(page, TOKEN);
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    // What the server gets when a token has expired since the page was opened.
    await page.route("**/Chat", (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: "Bearer ended-yesterday" } }),
    );
    await page.getByLabel("Message").fill("units sold by category");
    await page.keyboard.press("Enter");
    await page.getByText("it may have expired").waitFor();
    await page.getByLabel("Message").fill("and by month");
    await page.getByRole("button", { name: "Edit question" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unroute("**/Chat");
    await give(page, TOKEN);
    await page.getByText("it may have expired").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("What share of the total is each?").waitFor();
    assert.equal(await page.locator(".question").count(), 1);
    assert.equal(await page.getByLabel("Message").inputValue(), "and by month");
  });

  it("says of a token that is none why it cannot be sent", async () => {
    await using opened = await console.open(ASK);
    const { page } = opened;
    await page.getByRole("button", { name: "Enter a token" }).click();
    await page.getByLabel("Bearer token").fill("two words");
    await page.getByText("printable ASCII characters only").waitFor();
    assert.equal(await page.getByRole("button", { name: "Use token" }).isDisabled(), true);
    await page.getByLabel("Bearer token").fill("nobody-knows-this-one");
    await page.keyboard.press("Enter");
    await page.getByText("it may have expired").waitFor();
  });
});

/** Enters a token where the page asks for one. */
async function give(page: Page, token: string): Promise<void> {
  await page.getByRole("button", { name: /^Enter (a|another) token$/ }).click();
  await page.getByLabel("Bearer token").fill(token);
  await page.keyboard.press("Enter");
}
