import assert from "node:assert/strict";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { type ForeignSite, openForeignSite } from "./foreign-site.ts";
import { type Console, type Look, openConsole, openPage, withoutBrowser } from "./open-console.ts";

const MARKDOWN = `# Kettles

*All* of **them** are ~~new~~ in [stock](https://shop.example/a_(b)):

| name | price |
| --- | --- |
| Whistler | 12 |

- small
  - very small
- large

\`\`\`js
const x = 1 * 2;
\`\`\`

> A quote

[https://bank.example](https://evil.example/) [pay](javascript:alert(1)) https://bank.example@evil.example/ ![seen](https://evil.example/?who=me)
2 * 3 * 4 is a_name_of_code`;

/** Answers in the form that the words ask for, else with the types of what was sent. */
const CALLBACK = `
MARKDOWN = ${JSON.stringify(MARKDOWN)}
def before_model_callback(callback_context, llm_request):
    sent = callback_context.get_last_user_input()
    said = sent[0].text if sent else ""
    if said == "markdown":
        return LlmResponse.from_parts(parts=[Part.from_text(text=MARKDOWN)])
    if said == "long":
        return LlmResponse.from_parts(parts=[Part.from_text(text="word " * 3000)])
    if said == "cards":
        return LlmResponse.from_parts(parts=[
            Part.from_text(text="Have a look."),
            Part.from_json(data='{"richContent": [[{"type": "info", "title": "A strainer"}, {"type": "accordion", "title": "Care", "text": "Rinse it."}]]}'),
            Part.from_function_call(name="kettles", args={"title": "Kettles", "items": [{"title": "Whistler", "price": 12}]}),
        ])
    kinds = [part.inline_data.mime_type if part.inline_data else "text" for part in sent]
    return LlmResponse.from_parts(parts=[Part.from_text(text="Got " + ", ".join(kinds))])
`;

/** What of a page the tests use in it; they know no types of a page. */
interface Opened {
  readonly document: { adoptedStyleSheets: unknown[]; querySelector(selector: string): { remove(): void } | null };
  readonly CSSStyleSheet: new () => { replaceSync(text: string): void };
  readonly PageTransitionEvent: new (name: string, init: { persisted: boolean }) => Event;
  readonly sessionStorage: {
    getItem(key: string): string;
    setItem(key: string, value: string): void;
    key(at: number): string;
  };
  dispatchEvent(event: Event): void;
}

/** Files of these sizes, with nothing in them; answers where they are. */
async function filesOf(sizes: Readonly<Record<string, number>>): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-files-"));
  after(() => rm(folder, { recursive: true }));
  return Promise.all(
    Object.entries(sizes).map(async ([name, size]) => {
      const path = join(folder, name);
      await writeFile(path, "");
      await truncate(path, size);
      return path;
    }),
  );
}

describe("what a chat widget holds", { skip: withoutBrowser }, () => {
  let site: ForeignSite;
  let console: Console;
  let deployment: string;
  before(async () => {
    site = await openForeignSite();
    console = await openConsole({ config: { allowedOrigins: [site.origin] } });
    const app = await appOfOneAgent(console.server, "cards-shop", {
      beforeModelCallbacks: [{ callback: { case: "pythonCode", value: CALLBACK } }],
    });
    const call = async (method: string, path: string, body: object): Promise<{ readonly name: string }> => {
      const headers = { "content-type": "application/json" };
      const made = await fetch(`${console.server.address}/v1beta/${app}${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      assert.equal(made.status, 200);
      return (await made.json()) as { readonly name: string };
    };
    const widgetTool = { name: "kettles", description: "Shows kettles.", widgetType: "PRODUCT_CAROUSEL" };
    const tool = await call("POST", "/tools?toolId=kettles", { widgetTool });
    await call("PATCH", "/agents/root-agent?updateMask=tools", { tools: [tool.name] });
    const channelProfile = { channelType: "WEB_UI", webWidgetConfig: {} };
    const made = await call("POST", "/deployments?deploymentId=web-chat", { displayName: "web", channelProfile });
    deployment = made.name;
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const element = (attributes: string) =>
    `<frontdesk-chat deployment="${deployment}" welcome-event="" ${attributes}></frontdesk-chat>`;

  async function openSite(elements = element("open"), { lang, ...look }: Look & { lang?: string } = {}) {
    const { address } = console.server;
    site.show(`<script src="${address}/widget.js" async></script>${elements}`, address, lang);
    return openPage(console.browser, site.origin, "/", look);
  }

  async function ask(page: Page, text: string, chat = "frontdesk-chat"): Promise<void> {
    await page.locator(`${chat} #input`).fill(text);
    await page.keyboard.press("Enter");
  }

  const answered = (page: Page, text: string) => page.locator(".line.agent", { hasText: text }).last().waitFor();
  const done = (page: Page) => page.locator(".note").waitFor({ state: "hidden" });

  it("are files that the person sends along, where the page lets them, and says which it does not take", async () => {
    await using plain = await openSite();
    await plain.page.locator("#input").waitFor();
    assert.equal(await plain.page.getByRole("button", { name: "Attach a file" }).count(), 0);
    await using opened = await openSite(element("open enable-file-upload"));
    const { page } = opened;
    const files = await filesOf({ "kettle.png": 8, "bill.pdf": 8, "other.pdf": 8, "kettle.exe": 8, "large.pdf": 21e6 });
    const choose = async (chosen: readonly string[]) => {
      const dialog = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Attach a file" }).click();
      await (await dialog).setFiles([...chosen]);
    };
    await choose(files);
    assert.deepEqual(await page.getByRole("alert").allInnerTexts(), [
      "kettle.exe: files of this kind cannot be sent here.",
      "large.pdf: too large; 20 MB may be sent at once.",
    ]);
    await page.getByRole("button", { name: "Remove other.pdf" }).click();
    assert.deepEqual(await violations(page), []);
    await ask(page, "Is it broken?");
    await answered(page, "Got text, image/png, application/pdf");
    await choose(files.slice(1, 2));
    await page.getByRole("button", { name: "Send" }).click();
    await answered(page, "Got application/pdf");
    await done(page);
    await page.reload();
    await answered(page, "Got application/pdf");
    assert.deepEqual(await page.locator(".line.user .sent").allInnerTexts(), ["kettle.png", "bill.pdf", "bill.pdf"]);
  });

  it("are cards and widgets, each once, and the same after the page was left", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await ask(page, "cards");
    await page.getByRole("button", { name: "Choose Whistler" }).waitFor();
    await done(page);
    const shown = await page.locator(".rich, .line").allInnerTexts();
    assert.deepEqual(shown, [
      "You said:\ncards",
      "Answer:\n\nHave a look.",
      "A strainer\n\nCare",
      "Kettles\n\nWhistler\n\n12\n\nChoose",
    ]);
    await page.reload();
    await page.getByRole("button", { name: "Choose Whistler" }).waitFor();
    assert.deepEqual(await page.locator(".rich, .line").allInnerTexts(), shown);
    await page.getByText("Care").click();
    await page.getByText("Rinse it.").waitFor();
    await page.getByRole("button", { name: "Choose Whistler" }).click();
    await answered(page, "Got text");
  });

  it("is one session for each of two elements with one deployment, also after the page was left", async () => {
    await using opened = await openSite(element('inline id="one"') + element('inline id="two"'));
    const { page } = opened;
    await ask(page, "of the first", "#one");
    await ask(page, "of the second", "#two");
    const lines = (chat: string) => page.locator(`${chat} .line`).allInnerTexts();
    for (const chat of ["#one", "#two"]) await page.locator(`${chat} .line.agent`).waitFor();
    await page.reload();
    for (const chat of ["#one", "#two"]) await page.locator(`${chat} .line.user`).waitFor();
    assert.deepEqual(
      [(await lines("#one"))[0], (await lines("#two"))[0]],
      ["You said:\nof the first", "You said:\nof the second"],
    );
    // Without the first, the chat of another page of the site goes on with the first one's.
    await page.evaluate(() => (globalThis as unknown as Opened).document.querySelector("#one")?.remove());
    assert.equal(await page.locator("#two .line.user").innerText(), "You said:\nof the second");
  });

  it("is what was said meanwhile on another page, when the browser brings back one that it kept", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await ask(page, "before");
    await answered(page, "Got text");
    await done(page);
    await page.evaluate(() => {
      const window = globalThis as unknown as Opened;
      const key = window.sessionStorage.key(0);
      const stored = JSON.parse(window.sessionStorage.getItem(key));
      stored.lines.push({ side: "user", text: "meanwhile" });
      window.sessionStorage.setItem(key, JSON.stringify(stored));
      window.dispatchEvent(new window.PageTransitionEvent("pageshow", { persisted: true }));
    });
    assert.deepEqual(await page.locator(".line.user").allInnerTexts(), ["You said:\nbefore", "You said:\nmeanwhile"]);
  });

  it("is Markdown, of which no address hides where it leads, and no picture is fetched", async () => {
    await using opened = await openSite();
    const { page, faults } = opened;
    await ask(page, "markdown");
    await answered(page, "Kettles");
    await done(page);
    const line = page.locator(".line.agent");
    const texts = (selector: string) => line.locator(selector).allInnerTexts();
    assert.deepEqual(await texts("em"), ["All"]);
    assert.deepEqual(await texts("strong"), ["them"]);
    assert.deepEqual(await texts("td"), ["Whistler", "12"]);
    assert.deepEqual(await texts("li li"), ["very small"]);
    assert.deepEqual(await texts("pre"), ["const x = 1 * 2;"]);
    assert.deepEqual(await texts("blockquote"), ["A quote"]);
    const links = await line
      .locator("a")
      .evaluateAll((found) => found.map((link) => [link.textContent, link.getAttribute("href")]));
    assert.deepEqual(links, [
      ["stock", "https://shop.example/a_(b)"],
      ["https://evil.example/", "https://evil.example/"],
      ["seen", "https://evil.example/?who=me"],
    ]);
    assert.match((await texts("p")).at(-1) ?? "", /2 \* 3 \* 4 is a_name_of_code$/);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });

  it("is the whole answer after a part of it that was lost, once", async () => {
    let isCut = true;
    const before = (context: BrowserContext) =>
      context.route(/:streamRunSession/, (route) => {
        if (!isCut) return route.continue();
        isCut = false;
        const body = 'data: {"outputs":[{"text":"Got a part of"}]}\n\n';
        const headers = { "access-control-allow-origin": site.origin };
        return route.fulfill({ contentType: "text/event-stream", headers, body });
      });
    await using opened = await openSite(element("open"), { before });
    const { page } = opened;
    await ask(page, "hello");
    await page.getByText("The connection was lost. Trying again…").waitFor();
    await answered(page, "Got text");
    assert.equal(await page.locator(".line.agent").count(), 1);
  });

  it("is a long answer in thousands of pieces that arrive at once, and the page is not kept by it", async () => {
    const pieces = Array.from({ length: 2_000 }, (_, at) => ({ outputs: [{ text: `word${at} and **some** more. ` }] }));
    const body = [...pieces, { outputs: [{ turnCompleted: true }] }]
      .map((message) => `data: ${JSON.stringify(message)}\n\n`)
      .join("");
    const before = (context: BrowserContext) =>
      context.route(/:streamRunSession/, (route) =>
        route.fulfill({
          contentType: "text/event-stream",
          headers: { "access-control-allow-origin": site.origin },
          body,
        }),
      );
    await using opened = await openSite(element("open"), { before });
    await ask(opened.page, "everything");
    await answered(opened.page, "word1999 and some more.");
    await done(opened.page);
    assert.equal(await opened.page.locator(".line.agent strong").count(), 2_000);
  });

  it("stays where the person reads while an answer comes", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await ask(page, "long");
    await answered(page, "word word");
    await done(page);
    const log = page.locator(".log");
    await log.evaluate((element: { scrollTop: number }) => {
      element.scrollTop = 100;
    });
    // Its own words take the person to the end; the answer to them does not, once they have scrolled back.
    await log.evaluate((element: { scrollTop: number; getRootNode(): { host: { say(text: string): void } } }) => {
      element.getRootNode().host.say("hello");
      element.scrollTop = 100;
    });
    await answered(page, "Got text");
    await done(page);
    assert.equal(await log.evaluate((element: { scrollTop: number }) => element.scrollTop), 100);
  });

  it("is of the deployment and the language that a framework sets later, with a session for each deployment", async () => {
    await using opened = await openSite('<frontdesk-chat inline welcome-event=""></frontdesk-chat>');
    const { page } = opened;
    await page.locator("#input").waitFor();
    const set = (name: string, value: string) =>
      page
        .locator("frontdesk-chat")
        .evaluate(
          (chat: { setAttribute(name: string, value: string): void }, [key = "", to = ""]) =>
            chat.setAttribute(key, to),
          [name, value],
        );
    await set("deployment", deployment);
    await ask(page, "hello");
    await answered(page, "Got text");
    await done(page);
    await set("language-code", "de");
    await page.getByRole("button", { name: "Senden" }).waitFor();
    assert.deepEqual(await page.locator(".line.user").allInnerTexts(), ["Sie:\nhello"]);
    await set("deployment", `${deployment}-2`);
    assert.equal(await page.locator(".line").count(), 0);
    await set("deployment", deployment);
    assert.deepEqual(await page.locator(".line.user").allInnerTexts(), ["Sie:\nhello"]);
  });

  it("is sent by itself once the network is back", async () => {
    await using opened = await openSite();
    const { page } = opened;
    await page.locator("#input").waitFor();
    await page.context().setOffline(true);
    await ask(page, "hello");
    await page.getByRole("alert").waitFor();
    await page.context().setOffline(false);
    await answered(page, "Got text");
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  it("looks the same whatever the page does to its own words and sizes", async () => {
    const launcher = async (css: string, lang = "en") => {
      await using opened = await openSite(element(""), { lang });
      const { page } = opened;
      await page.locator(".launcher").waitFor();
      await page.evaluate((text) => {
        const { document, CSSStyleSheet } = globalThis as unknown as Opened;
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
      }, css);
      const closed = await page.locator(".launcher").boundingBox();
      await page.locator(".launcher").click();
      await page.locator(".panel").waitFor();
      const [moved, panel] = [
        await page.locator(".launcher").boundingBox(),
        await page.locator(".panel").boundingBox(),
      ];
      return { closed, moved, panel };
    };
    const usual = await launcher("");
    const shouting = "* { font-size: 40px; letter-spacing: 1em; text-transform: uppercase } html { font-size: 62.5% }";
    assert.deepEqual(await launcher(shouting), usual);
    assert.deepEqual(await launcher("html { font-size: 100px }"), usual, "a page that sizes itself in rem");
    assert.deepEqual(await launcher("html { direction: rtl }", "ar"), usual);
    const moving =
      "body { transform: translateX(-300px) scale(0.5); filter: blur(1px); overflow: hidden; height: 90px; opacity: 0.1 }";
    assert.deepEqual(await launcher(moving), usual, "a page whose body is the containing block of what is fixed");
    const looks =
      "[popover] { padding: 3rem; margin: auto; border: 9px solid; background: pink; overflow: auto; width: 9rem }";
    assert.deepEqual(await launcher(looks), usual, "a page with popovers of its own");
    const left = await launcher("frontdesk-chat { inset: auto auto 20px 20px }");
    assert.deepEqual(left.moved, left.closed, "the button stays where it was when the chat opens");
    assert.equal(left.panel?.x, 20);
  });
});
