import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { violations } from "./axe.ts";
import { type ForeignSite, openForeignSite } from "./foreign-site.ts";
import { APP, type Console, type Look, openConsole, openPage, withoutBrowser } from "./open-console.ts";

/** A turn whose answer comes in these pieces, as the server streams it. */
function streamOf(pieces: readonly string[], last: object = { turnCompleted: true }): string {
  return [...pieces.map((text) => ({ text })), last]
    .map((output) => `data: ${JSON.stringify({ outputs: [output] })}\n\n`)
    .join("");
}

/** What of the page's classes a test uses; tests know no types of a page. */
interface Recording {
  shadowRoot: { querySelector(selector: string): object };
  ownerDocument: { defaultView: { MutationObserver: new (listener: (changes: Change[]) => void) => Observer } };
  heard?: string[];
}
interface Change {
  readonly addedNodes: Iterable<{ readonly textContent: string; readonly ariaHidden?: string }>;
}
interface Observer {
  observe(target: object, options: object): void;
}

describe("the chat widget for who hears it and uses keys", { skip: withoutBrowser }, () => {
  let site: ForeignSite;
  let console: Console;
  let deployment: string;
  before(async () => {
    site = await openForeignSite();
    console = await openConsole({ config: { allowedOrigins: [site.origin] } });
    const answer = await fetch(`${console.server.address}/v1beta/${APP}/deployments?deploymentId=heard`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ displayName: "Heard", channelProfile: { channelType: "WEB_UI", webWidgetConfig: {} } }),
    });
    deployment = ((await answer.json()) as { readonly name: string }).name;
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** The site's page with the chat; the turns are answered with these streams one after the other, the last one again and again. */
  async function openSite({ turns, ...look }: Look & { turns?: readonly string[] } = {}) {
    const { address } = console.server;
    const element = `<frontdesk-chat deployment="${deployment}" welcome-event=""></frontdesk-chat>`;
    site.show(
      `<nav><a href="#shop">Shop</a></nav><script src="${address}/widget.js" async></script>${element}`,
      address,
    );
    const left = [...(turns ?? [])];
    const before = async (context: BrowserContext) => {
      if (!turns) return;
      const headers = { "content-type": "text/event-stream", "access-control-allow-origin": site.origin };
      await context.route(/:streamRunSession/, (route) =>
        route.request().method() === "POST"
          ? route.fulfill({ headers, body: (left.length > 1 ? left.shift() : left[0]) ?? "" })
          : route.continue(),
      );
    };
    const opened = await openPage(console.browser, site.origin, "/", { ...look, before });
    await opened.page.getByRole("button", { name: "Open chat" }).click();
    return opened;
  }

  async function ask(page: Page, text: string): Promise<void> {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
  }

  const answered = (page: Page, text: string) => page.locator(".line.agent", { hasText: text }).waitFor();
  /** Where the focus is in the chat; "" when a person is elsewhere on the page. */
  const focused = (page: Page) =>
    page
      .locator("frontdesk-chat")
      .evaluate(
        (chat: { shadowRoot: { activeElement?: { textContent: string; id: string } } }) =>
          chat.shadowRoot.activeElement?.textContent || chat.shadowRoot.activeElement?.id || "",
      );

  it("says an answer once and whole, however many pieces it came in, and whose each message is", async () => {
    await using opened = await openSite({ turns: [streamOf(["Your ", "order ", "is **on", " its way**."])] });
    const { page } = opened;
    await page.locator("frontdesk-chat").evaluate((chat: Recording) => {
      chat.heard = [];
      const { MutationObserver } = chat.ownerDocument.defaultView;
      const observer = new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        for (const node of added) if (node.ariaHidden !== "true") chat.heard?.push(node.textContent);
      });
      observer.observe(chat.shadowRoot.querySelector(".log"), { childList: true, subtree: true, characterData: true });
    });
    await ask(page, "Where is it?");
    await answered(page, "on its way");
    await page.getByText("Responding").waitFor({ state: "hidden" });
    const heard = await page.locator("frontdesk-chat").evaluate((chat: Recording) => chat.heard);
    assert.deepEqual(heard, ["You said: Where is it?", "Answer: Your order is on its way."]);
    assert.match(await page.getByRole("log").ariaSnapshot(), /You said: Where is it\?[\s\S]*Answer:[\s\S]*on its way/);
    assert.deepEqual(await violations(page), []);
  });

  it("keeps the focus in the chat when what had it goes away", async () => {
    const turns = [
      ...["", "", ""],
      streamOf(["Here."]),
      streamOf([], { endSession: {}, turnCompleted: true }),
      streamOf(["Again."]),
    ];
    await using opened = await openSite({ turns });
    const { page } = opened;
    await ask(page, "hello");
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    assert.equal(await focused(page), "input");
    await answered(page, "Here.");
    await ask(page, "goodbye");
    await page.getByText("The conversation has ended.").waitFor();
    assert.equal(await focused(page), "Start a new conversation");
    await page.keyboard.press("Enter");
    assert.equal(await focused(page), "input");
    await page.keyboard.type("hello");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await answered(page, "Again.");
    assert.equal(await focused(page), "Send");
  });

  it("takes what is said while an answer is on its way, and offers all of it again when the page was left", async () => {
    let isHeld = true;
    const before = (context: BrowserContext) =>
      context.route(/:streamRunSession/, (route) => (isHeld ? undefined : route.continue()));
    const { address } = console.server;
    const element = `<frontdesk-chat deployment="${deployment}" welcome-event="" open></frontdesk-chat>`;
    site.show(`<script src="${address}/widget.js" async></script>${element}`, address);
    await using opened = await openPage(console.browser, site.origin, "/", { before });
    const { page } = opened;
    for (const text of ["Where is my order A-1001?", "And my order A-1002?"]) await ask(page, text);
    await page.locator(".line.user").nth(1).waitFor();
    isHeld = false;
    await page.reload();
    await page.getByRole("button", { name: "Try again" }).click();
    await answered(page, "A-1001");
    await answered(page, "A-1002");
    await page.getByText("Responding").waitFor({ state: "hidden" });
    await page.reload();
    await answered(page, "A-1002");
    assert.deepEqual([await page.getByRole("alert").count(), await page.locator(".line.user").count()], [0, 2]);
  });

  it("offers to try again when the stream ends before the answer does, for the third time", async () => {
    const cut = streamOf(["Your order"], { text: " is" });
    await using opened = await openSite({ turns: [cut, cut, cut, streamOf(["Your order is on its way."])] });
    const { page } = opened;
    await ask(page, "Where is it?");
    await page.getByRole("button", { name: "Try again" }).click();
    await answered(page, "on its way.");
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  it("keeps the keyboard in a chat that covers the page, and in no other", async () => {
    const turns = [streamOf([`See [the mug](${site.origin}/mug) or [the post](https://post.example/)`])];
    await using opened = await openSite({ width: 320, turns });
    const { page } = opened;
    await page.locator('.panel[aria-modal="true"]').waitFor();
    await ask(page, "hello");
    await answered(page, "the mug");
    const stops: string[] = [];
    for (let at = 0; at < 7; at++) {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    }
    assert.deepEqual(stops.slice(1, 3), ["New", "✕"]);
    assert.ok(!stops.includes(""), stops.join());
    const targets = await page
      .locator(".line.agent a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("target")));
    assert.deepEqual(targets, [null, "_blank"], "the chat goes on in the pages of the site");
    await page.setViewportSize({ width: 1000, height: 700 });
    await page.getByRole("button", { name: "Send" }).focus();
    await page.keyboard.press("Tab");
    assert.match(
      await page
        .locator("frontdesk-chat")
        .evaluate(
          (chat: { shadowRoot: { activeElement?: { className: string } } }) =>
            chat.shadowRoot.activeElement?.className ?? "",
        ),
      /launcher/,
    );
  });
});
