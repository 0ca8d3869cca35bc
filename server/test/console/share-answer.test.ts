import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Config } from "#app";
import { linkUrl } from "#protocols";
import { violations } from "./axe.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const AGENT = "projects/local/locations/us/dataAgents/shop";
const AUTH: Config["auth"] = { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] };
const STORES = "how many stores are there?";
const NEW_PROFILE = { before: async () => undefined };

describe("a link to an answer", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole({ config: { auth: AUTH } });
  });
  after(() => console[Symbol.asyncDispose]());

  /** The page of the data agent, as the operator sees it. */
  async function openAgent() {
    const link = await linkUrl(console.server.app.authentication, "");
    const back = encodeURIComponent(`/console/${AGENT}`);
    const opened = await console.open(`${link.slice(console.server.address.length)}&return=${back}`);
    await opened.page.getByRole("heading", { name: "Measures" }).waitFor();
    return opened;
  }

  async function ask(page: Page, question: string) {
    await page.getByRole("textbox").fill(question);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Share", exact: true }).click();
  }

  /** The address in the dialog that was opened by "Share", without the server. */
  async function createLink(page: Page): Promise<string> {
    const dialog = page.getByRole("dialog", { name: "Share this answer" });
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = await dialog.locator("pre").innerText();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    return link.slice(console.server.address.length);
  }

  it("for everybody shows the answer to who is not known, without SQL and without the console, until it is revoked", async () => {
    await using opened = await openAgent();
    const { page } = opened;
    await ask(page, STORES);
    const dialog = page.getByRole("dialog", { name: "Share this answer" });
    await dialog.getByRole("button", { name: /Who may open it/ }).click();
    await page.getByRole("option", { name: /Anyone with the link/ }).click();
    assert.equal(await dialog.getByRole("button", { name: "Create link" }).isDisabled(), true);
    await dialog.getByText("Allow links for everybody to answers of this data agent").click();
    await dialog.getByRole("button", { name: /It ends after/ }).waitFor();
    const link = await createLink(page);
    assert.match(link, /\/sharedAnswers\/[\w-]+#[\w-]{43}$/);

    {
      await using stranger = await console.open(link, NEW_PROFILE);
      const answer = stranger.page.getByRole("main");
      await answer.getByRole("heading", { name: STORES }).waitFor();
      assert.equal(await answer.locator("dd").first().innerText(), "10");
      await answer.getByText(/The link ends/).waitFor();
      assert.equal(await answer.getByRole("tab", { name: "SQL" }).count(), 0);
      assert.equal(await stranger.page.getByRole("navigation").count(), 0);
      assert.deepEqual(await violations(stranger.page), []);
      assert.deepEqual([stranger.faults, stranger.strangers], [[], []]);
    }

    await page.getByRole("button", { name: "Share", exact: true }).click();
    await dialog.getByRole("button", { name: `Revoke the link to “${STORES}”` }).click();
    await dialog.getByText("Links to answers of this data agent").waitFor({ state: "detached" });
    assert.deepEqual(opened.faults, []);
    await using late = await console.open(link, NEW_PROFILE);
    await late.page.getByText("This link does not open an answer").waitFor();
  });

  it("for callers asks who is not known to sign in, and shows others chart, table and SQL", async () => {
    await using opened = await openAgent();
    const { page } = opened;
    await ask(page, "units sold by category");
    const link = await createLink(page);
    assert.match(link, /\/sharedAnswers\/[\w-]+$/);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Share this answer" });
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.locator("pre").waitFor();
    await dialog.getByRole("button", { name: /Who may open it/ }).click();
    await page.getByRole("option", { name: /Anyone with the link/ }).click();
    await dialog.locator("pre").waitFor({ state: "detached" });
    assert.equal(await dialog.getByRole("link", { name: "units sold by category" }).count(), 2);
    assert.deepEqual(await violations(page), []);
    await using stranger = await console.open(link, NEW_PROFILE);
    await stranger.page.waitForURL(/\/console\/sign-in\?return=.*sharedAnswers/);
    await page.goto(console.server.address + link);
    const answer = page.getByRole("main");
    await answer.getByText("Download SVG").waitFor();
    assert.deepEqual(await answer.getByRole("tab").allInnerTexts(), ["Chart", "Table", "SQL"]);
    await answer.getByRole("tab", { name: "SQL" }).click();
    await answer
      .getByText(/SELECT/)
      .first()
      .waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(opened.faults, []);
  });
});
