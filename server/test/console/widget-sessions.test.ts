import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { type ForeignSite, openForeignSite } from "./foreign-site.ts";
import { type Console, type Look, openConsole, openPage, withoutBrowser } from "./open-console.ts";

/** Answers with what it was told, whom it knows, and in the form that the words ask for. */
const CALLBACK = `
def before_model_callback(callback_context, llm_request):
    said = callback_context.get_last_user_input()[-1].text or ""
    if said == "sign":
        return LlmResponse.from_parts(parts=[Part.from_text(text="Please sign."), Part.from_function_call(name="sign", args={"form": 7})])
    who = callback_context.variables.get("customer") or "nobody"
    if said == "goodbye":
        return LlmResponse.from_parts(parts=[
            Part.from_text(text="A colleague takes over."),
            Part.from_function_call(name="end_session", args={"reason": "asked for a person", "session_escalated": True}),
        ])
    if said == "steps":
        return LlmResponse.from_parts(parts=[Part.from_text(text="Do this:\\n- look\\n- wait\\n\\n1. first\\n\\n2. second")])
    if said == "chips":
        return LlmResponse.from_parts(parts=[Part.from_json(data='{"richContent": [[{"type": "chips", "options": [{"text": "Yes"}]}]]}')])
    if said == "nothing":
        return LlmResponse.from_parts(parts=[Part.from_text(text="")])
    if said == "slow":
        for number in range(2_000_000): pass
    return LlmResponse.from_parts(parts=[Part.from_text(text=f"{who} said {said}")])
`;

/** What of an element moves it; the tests know no types of a page. */
interface Moved {
  readonly ownerDocument: { querySelector(selector: string): { append(element: Moved): void } | null };
}

/** What of an element answers calls. */
interface Signing {
  addEventListener(name: string, listener: (event: { preventDefault(): void; detail: { id: string } }) => void): void;
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string;
  answer(id: string, result: unknown): boolean;
}

describe("a session of the chat widget", { skip: withoutBrowser }, () => {
  let site: ForeignSite;
  let console: Console;
  let deployment: string;
  before(async () => {
    site = await openForeignSite();
    console = await openConsole({ config: { allowedOrigins: [site.origin] } });
    const app = await appOfOneAgent(
      console.server,
      "echo-shop",
      {
        tools: ["projects/test/locations/us/apps/echo-shop/tools/end_session"],
        beforeModelCallbacks: [{ callback: { case: "pythonCode", value: CALLBACK } }],
      },
      { variableDeclarations: [{ name: "customer", schema: {} }] },
    );
    const change = async (method: string, path: string, body: object) => {
      const changed = await fetch(`${console.server.address}/v1beta/${app}${path}`, {
        method,
        body: JSON.stringify(body),
      });
      assert.equal(changed.status, 200, await changed.text());
    };
    await change("POST", "/tools?toolId=sign-it", { clientFunction: { name: "sign", description: "Has it signed." } });
    await change("PATCH", "/agents/root-agent?updateMask=tools", {
      tools: [`${app}/tools/end_session`, `${app}/tools/sign-it`],
    });
    const answer = await fetch(`${console.server.address}/v1beta/${app}/deployments?deploymentId=web-chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ displayName: "web", channelProfile: { channelType: "WEB_UI", webWidgetConfig: {} } }),
    });
    deployment = ((await answer.json()) as { readonly name: string }).name;
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** Opens the site's page with the chat open. */
  async function openSite({
    lang,
    attributes = 'welcome-event=""',
    ...look
  }: Look & { lang?: string; attributes?: string } = {}) {
    const { address } = console.server;
    const element = `<frontdesk-chat deployment="${deployment}" open ${attributes}></frontdesk-chat>`;
    site.show(`<script src="${address}/widget.js" async></script>${element}`, address, lang);
    return openPage(console.browser, site.origin, "/", look);
  }

  async function ask(page: Page, text: string): Promise<void> {
    await page.locator("input").fill(text);
    await page.keyboard.press("Enter");
  }

  const answered = (page: Page, text: string) => page.locator(".line.agent", { hasText: text }).waitFor();

  /** Breaks the first so many turns as a lost connection does. */
  const breaking = (count: number) => (context: BrowserContext) => {
    let left = count;
    return context.route(/:streamRunSession/, (route) => (left-- > 0 ? route.abort() : route.continue()));
  };

  it("has the page's variables, although its first turn failed", async () => {
    await using opened = await openSite({ before: breaking(3) });
    const { page } = opened;
    await page.locator("frontdesk-chat").evaluate((chat: { variables?: object }) => {
      chat.variables = { customer: "Ada" };
    });
    await ask(page, "hello");
    await page.getByRole("button", { name: "Try again" }).click();
    await answered(page, "Ada said hello");
  });

  it("runs a turn once whose answer is lost on the way, also when the page was left", async () => {
    let lost = 4;
    const before = (context: BrowserContext) =>
      context.route(/:streamRunSession/, async (route) => {
        if (lost-- <= 0) return route.continue();
        await route.fetch();
        await route.abort();
      });
    await using opened = await openSite({ before });
    const { page } = opened;
    await ask(page, "hello");
    await page.getByText("The connection was lost. Trying again…").waitFor();
    await page.getByRole("alert").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Try again" }).click();
    await answered(page, "nobody said hello");
    await ask(page, "and now");
    await answered(page, "nobody said and now");
    assert.equal(await page.locator(".line").count(), 4);
    const id = await page.evaluate(() => {
      const { sessionStorage } = globalThis as unknown as { sessionStorage: Record<string, string> };
      return JSON.parse(Object.values(sessionStorage)[0] ?? "").id as string;
    });
    const app = deployment.replace(/\/deployments\/.*/, "");
    const stored = await fetch(`${console.server.address}/v1beta/${app}/conversations/${id}`);
    assert.equal(((await stored.json()) as { readonly turns: readonly object[] }).turns.length, 2);
  });

  it("sends no header that a server of a time before it would refuse", async () => {
    await using opened = await openSite();
    const { page } = opened;
    const sent = page.waitForRequest(
      (request) => request.method() === "POST" && /:streamRunSession/.test(request.url()),
    );
    await ask(page, "hello");
    const request = await sent;
    assert.match(new URL(request.url()).searchParams.get("$idempotency-key") ?? "", /^\w{16,}$/);
    // Those of a page that calls another site and asks nobody (CORS), and the two that every server of ours has taken (WIRE-80).
    const known =
      /^(?:authorization|content-type|accept.*|origin|referer|user-agent|sec-.*|host|connection|content-length)$/;
    assert.deepEqual(
      Object.keys(await request.allHeaders()).filter((name) => !known.test(name)),
      [],
    );
    await answered(page, "nobody said hello");
  });

  it("is asked again over another connection when the first was silent for a minute, as after the computer slept", async () => {
    let isHeld = true;
    const before = async (context: BrowserContext) => {
      await context.clock.install();
      await context.route(/:streamRunSession/, (route) => {
        if (!isHeld) return route.continue();
        isHeld = false;
      });
    };
    await using opened = await openSite({ before });
    const { page } = opened;
    const sent = page.waitForRequest(/:streamRunSession/);
    await ask(page, "hello");
    await sent;
    await page.clock.fastForward("01:00");
    await page.getByText("The connection was lost. Trying again…").waitFor();
    await answered(page, "nobody said hello");
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  it("says so where there is no answer", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await ask(page, "nothing");
    await page.getByText("There is no answer to this.").waitFor();
    assert.equal(await page.locator(".line.agent").count(), 0);
  });

  it("answers all that is said, also while an answer is on its way, and a chip that is pressed twice once", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await page.locator("frontdesk-chat").evaluate((chat: { say?: (text: string) => void }) => {
      for (const text of ["one", "two", "three"]) chat.say?.(text);
    });
    for (const text of ["one", "two", "three"]) await answered(page, `nobody said ${text}`);
    assert.deepEqual(
      await page.locator(".line.agent").allInnerTexts(),
      ["one", "two", "three"].map((text) => `Answer:\n\nnobody said ${text}`),
    );
    await ask(page, "chips");
    await page.getByRole("button", { name: "Yes" }).dblclick();
    await answered(page, "nobody said Yes");
    await page.getByText("Responding").waitFor({ state: "hidden" });
    assert.equal(await page.locator(".line.user", { hasText: "Yes" }).count(), 1);
  });

  it("has the page answer a call that an event told, once and after the person went on", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await page.locator("frontdesk-chat").evaluate((chat: Signing) => {
      chat.addEventListener("frontdesk-tool-call", (event) => {
        event.preventDefault();
        chat.setAttribute("data-call", event.detail.id);
      });
    });
    await ask(page, "sign");
    await answered(page, "Please sign.");
    await ask(page, "a moment");
    await answered(page, "nobody said a moment");
    const signed = await page.locator("frontdesk-chat").evaluate((chat: Signing) => {
      const id = chat.getAttribute("data-call");
      return [chat.answer(id, ["Ada"]), chat.answer(id, ["Eve"]), chat.answer("another", {})];
    });
    assert.deepEqual(signed, [true, false, false]);
    await answered(page, "function [sign] completed with response");
    await answered(page, '"Ada"');
  });

  it("goes on when its element is moved on the page, and when it begins anew during an answer", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await ask(page, "slow");
    await page
      .locator("frontdesk-chat")
      .evaluate((chat: Moved) => chat.ownerDocument.querySelector("main")?.append(chat));
    await answered(page, "nobody said slow");
    await ask(page, "slow");
    await page.getByRole("button", { name: "Start a new conversation" }).click();
    await ask(page, "again");
    await answered(page, "nobody said again");
    assert.equal(await page.locator(".line.agent").count(), 1);
  });

  it("offers what was said again when the page was left before the answer came", async () => {
    let isHeld = true;
    const before = (context: BrowserContext) =>
      context.route(/:streamRunSession/, (route) => (isHeld ? undefined : route.continue()));
    await using opened = await openSite({ before });
    const { page } = opened;
    await ask(page, "where is it");
    await page.locator(".line.user").waitFor();
    isHeld = false;
    await page.reload();
    await page.getByText("The page was left before the answer came.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await answered(page, "nobody said where is it");
    await page.getByText("Responding").waitFor({ state: "hidden" });
    await page.reload();
    await answered(page, "nobody said where is it");
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  it("that has ended tells the page why, stays ended on the next page, and is followed by a new one", async () => {
    await using opened = await openSite();
    const { page } = opened;
    const told = page.locator("frontdesk-chat").evaluate(
      (chat: EventTarget) =>
        new Promise((resolve) => {
          chat.addEventListener("frontdesk-end", (event) => resolve((event as CustomEvent).detail), { once: true });
        }),
    );
    await ask(page, "goodbye");
    await answered(page, "A colleague takes over.");
    assert.deepEqual(await told, { metadata: { reason: "asked for a person", session_escalated: true } });
    await page.reload();
    await page.getByText("The conversation has ended.").waitFor();
    assert.equal(await page.locator("input").isDisabled(), true);
    await page.locator(".note").getByRole("button", { name: "Start a new conversation" }).click();
    await ask(page, "hello");
    await answered(page, "nobody said hello");
  });

  it("has its own words in the language of the page, from right to left where that is written so", async () => {
    await using opened = await openSite({ lang: "ar-EG", attributes: 'inline welcome-event=""' });
    const { page } = opened;
    await page.getByRole("button", { name: "إرسال" }).waitFor();
    assert.equal(await page.locator(".panel").getAttribute("dir"), "rtl");
    await ask(page, "مرحبا");
    await answered(page, "مرحبا");
    assert.deepEqual(await violations(page), []);
    await using german = await openSite({ lang: "ar", attributes: 'language-code="de-AT" welcome-event=""' });
    await german.page.getByRole("button", { name: "Senden" }).waitFor();
  });

  it("shows lists where the agent wrote them, with their numbers", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await ask(page, "steps");
    await answered(page, "second");
    const line = page.locator(".line.agent");
    assert.deepEqual(await line.locator("ul > li").allInnerTexts(), ["look", "wait"]);
    assert.deepEqual(
      await line.locator("ol").evaluateAll((lists) => lists.map((list) => list.getAttribute("start") ?? "1")),
      ["1", "2"],
    );
  });
});
