import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { type ForeignSite, openForeignSite } from "./foreign-site.ts";
import { APP, type Console, type Look, openConsole, openPage, withoutBrowser } from "./open-console.ts";

const CARDS = {
  richContent: [
    [
      { type: "info", title: "Tea strainer", subtitle: "Steel, 8 pounds", actionLink: "javascript:alert(1)" },
      { type: "chips", options: [{ text: "Buy it" }, { text: "Show more" }] },
    ],
  ],
};
const PAYLOAD_CALLBACK = `
def before_model_callback(callback_context, llm_request):
    return LlmResponse.from_parts(parts=[
        Part.from_text(text="<b>Look</b> at **this**"),
        Part.from_json(data=${JSON.stringify(JSON.stringify(CARDS))}),
    ])
`;

describe("the chat widget on a page of another site", { skip: withoutBrowser }, () => {
  let site: ForeignSite;
  let console: Console;
  before(async () => {
    site = await openForeignSite();
    console = await openConsole({ config: { allowedOrigins: [site.origin] } });
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** Makes a deployment of an app for the widget; answers its name. */
  async function deploy(app: string, id: string, webWidgetConfig: object = {}, at = console): Promise<string> {
    const answer = await fetch(`${at.server.address}/v1beta/${app}/deployments?deploymentId=${id}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ displayName: id, channelProfile: { channelType: "WEB_UI", webWidgetConfig } }),
    });
    const { name, error } = (await answer.json()) as { readonly name: string; readonly error?: unknown };
    assert.equal(error, undefined);
    return name;
  }

  /** Opens the site's page with the widget on it, as its snippet says. */
  async function openSite(deployment: string, look: Look = {}, at = console) {
    const { address } = at.server;
    site.show(
      `<script src="${address}/widget.js" async></script><frontdesk-chat deployment="${deployment}"></frontdesk-chat>`,
      address,
    );
    return openPage(at.browser, site.origin, "/", look);
  }

  async function ask(page: Page, text: string): Promise<void> {
    await page.getByLabel("Message").fill(text);
    await page.keyboard.press("Enter");
  }

  it("gives each text its own direction", async () => {
    const deployment = await deploy(APP, "directed");
    await using opened = await openSite(deployment);
    const { page } = opened;
    await page.getByRole("button", { name: "Open chat" }).click();
    for (const text of ["שלום (A-1001)", "Hello"]) {
      await page.locator(".line.agent").first().waitFor();
      await page.getByText("Responding").waitFor({ state: "hidden" });
      await ask(page, text);
    }
    await page.locator(".line.user", { hasText: "Hello" }).waitFor();
    const direction = (text: string) =>
      page.locator(".line.user", { hasText: text }).evaluate((line) => line.matches(":dir(rtl)"));
    assert.deepEqual([await direction("שלום"), await direction("Hello")], [true, false]);
  });

  it("greets, answers and keeps the chat over a reload, by keyboard, under a strict policy of the page", async () => {
    const deployment = await deploy(APP, "shop-site", { webWidgetTitle: "Kettle & Kiln" });
    await using opened = await openSite(deployment);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Open chat" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Kettle & Kiln" }).waitFor();
    await page.locator(".line.agent").first().waitFor();
    await page.getByText("Responding").waitFor({ state: "hidden" });
    await ask(page, "Where is my order A-1001?");
    await page.locator(".line.agent", { hasText: "A-1001" }).waitFor();
    await page.getByText("Responding").waitFor({ state: "hidden" });
    assert.deepEqual(await violations(page), []);
    await page.reload();
    await page.locator(".line.agent", { hasText: "A-1001" }).waitFor();
    await page.keyboard.press("Tab");
    await page.getByLabel("Message").press("Escape");
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.deepEqual(faults, []);
  });

  it("is usable in dark and at 360 pixels", async () => {
    const deployment = await deploy(APP, "narrow-site", { theme: "DARK" });
    await using opened = await openSite(deployment, { width: 360 });
    const { page } = opened;
    await page.getByRole("button", { name: "Open chat" }).click();
    await page.locator(".line.agent").first().waitFor();
    await page.locator('frontdesk-chat[theme="dark"]').waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
  });

  it("shows rich payloads, runs nothing of them, and says what a chip says", async () => {
    const app = await appOfOneAgent(console.server, "cards", {
      beforeModelCallbacks: [{ callback: { case: "pythonCode", value: PAYLOAD_CALLBACK } }],
    });
    await using opened = await openSite(await deploy(app, "cards-site"));
    const { page } = opened;
    await page.getByRole("button", { name: "Open chat" }).click();
    await page.getByRole("button", { name: "Buy it" }).first().click();
    await page.locator(".line.user", { hasText: "Buy it" }).waitFor();
    const said = page.locator(".line.agent").first();
    assert.match(await said.innerText(), /^Answer:\s+<b>Look<\/b> at this$/);
    assert.equal(await said.locator("strong").innerText(), "this");
    assert.equal(await page.locator(".card a").count(), 0, "an address that is code is no link");
  });

  it("replaces a token that has expired without a word", async () => {
    const deployment = await deploy(APP, "patient-site");
    const key = readFileSync(join(console.server.dataDir, "chat-token.key"));
    const asked: string[] = [];
    const before = (context: BrowserContext) =>
      context.route(/:generateChatToken$/, async (route) => {
        asked.push(route.request().url());
        const answer = await route.fetch();
        const body = await answer.json();
        if (asked.length > 1) return route.fulfill({ response: answer });
        // The page believes in it, as after an hour of sleep with a wrong clock.
        await route.fulfill({ response: answer, json: { ...body, chatToken: expired(body.chatToken, key) } });
      });
    await using opened = await openSite(deployment, { before });
    await opened.page.getByRole("button", { name: "Open chat" }).click();
    await opened.page.locator(".line.agent").first().waitFor();
    assert.equal(asked.length, 2);
    assert.equal(await opened.page.getByRole("alert").count(), 0);
  });

  it("needs no more than the deployment's own origins where the operator names none", async () => {
    await using plain = await openConsole();
    const securitySettings = { enableOriginCheck: true, allowedOrigins: [site.origin] };
    const settings = { webWidgetTitle: "Kettles", theme: "DARK", securitySettings };
    const deployment = await deploy(APP, "named-site", settings, plain);
    await using opened = await openSite(deployment, {}, plain);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Open chat" }).click();
    await page.getByRole("dialog", { name: "Kettles" }).waitFor();
    await page.locator('frontdesk-chat[theme="dark"]').waitFor();
    await page.locator(".line.agent").first().waitFor();
    await page.getByText("Responding").waitFor({ state: "hidden" });
    await ask(page, "Where is my order A-1001?");
    await page.locator(".line.agent", { hasText: "A-1001" }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("says why when the deployment's origins leave the page out", async () => {
    const securitySettings = { enableOriginCheck: true, allowedOrigins: ["https://shop.example"] };
    await using opened = await openSite(await deploy(APP, "closed-site", { securitySettings }));
    await opened.page.getByRole("button", { name: "Open chat" }).click();
    assert.match(await opened.page.getByRole("alert").innerText(), new RegExp(`Pages of ${site.origin} may not embed`));
  });

  it("tells the developer of a page whose deployment is no name of one, and the person that the chat is unavailable", async () => {
    await using opened = await openSite("web-chat");
    const { page } = opened;
    const told = page.waitForEvent(
      "console",
      (message) => message.type() === "error" && /attribute deployment/.test(message.text()),
    );
    await page.getByRole("button", { name: "Open chat" }).click();
    assert.equal(
      await page.getByRole("alert").locator("p").innerText(),
      "The chat is unavailable at the moment. Your message is kept.",
    );
    assert.match((await told).text(), /must be the name of a deployment \(projects\/.*\); it is 'web-chat'/);
  });

  it("talks to a server behind a path, and tells the developer of a page whose server is no address", async () => {
    const deployment = await deploy(APP, "path-site");
    const { address } = console.server;
    const openAt = async (server: string) => {
      const element = `<frontdesk-chat server="${server}" deployment="${deployment}"></frontdesk-chat>`;
      site.show(`<script src="${address}/widget.js" async></script>${element}`, address);
      return openPage(console.browser, site.origin, "/");
    };
    await using opened = await openAt(`${address}/desk/?from=here`);
    // A proxy that takes the path away.
    await opened.page.route(`${address}/desk/v1beta/**`, async (route) => {
      const headers = { ...route.request().headers(), host: new URL(address).host };
      await route.fulfill({
        response: await route.fetch({ url: route.request().url().replace("/desk/", "/"), headers }),
      });
    });
    await opened.page.getByRole("button", { name: "Open chat" }).click();
    await opened.page.locator(".line.agent").first().waitFor();

    await using wrong = await openAt("desk.example");
    const told = wrong.page.waitForEvent("console", (message) => /attribute server/.test(message.text()));
    await wrong.page.getByRole("button", { name: "Open chat" }).click();
    await wrong.page.getByRole("alert").waitFor();
    assert.match((await told).text(), /must be an address like https:\/\/desk\.example.*; it is 'desk\.example'/);
  });

  it("keeps what was said when the server cannot be reached, and sends it again", async () => {
    await using opened = await openSite(await deploy(APP, "unlucky-site"));
    const { page } = opened;
    await page.getByRole("button", { name: "Open chat" }).click();
    await page.locator(".line.agent").first().waitFor();
    await page.getByText("Responding").waitFor({ state: "hidden" });
    await page.context().route(/:streamRunSession/, (route) => route.abort());
    await ask(page, "Where is my order A-1001?");
    await page.getByRole("alert").waitFor();
    await page.context().unroute(/:streamRunSession/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".line.agent", { hasText: "A-1001" }).waitFor();
    assert.equal(await page.locator(".line.user").count(), 1);
  });

  it("is one script below 60 KB that caches keep for an hour", async () => {
    const answer = await fetch(`${console.server.address}/widget.js`);
    const script = await answer.text();
    assert.ok(brotliCompressSync(script).length < 60_000);
    assert.equal(answer.headers.get("cache-control"), "public, max-age=3600");
    assert.equal(answer.headers.get("cross-origin-resource-policy"), "cross-origin");
    const again = await fetch(`${console.server.address}/widget.js`, {
      headers: { "if-none-match": answer.headers.get("etag") ?? "" },
    });
    assert.equal(again.status, 304);
  });
});

/** The token with an end in the past, signed as the server signs. */
function expired(token: string, key: Buffer): string {
  const [prefix = "", claims = ""] = token.split(".");
  const past = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), expiresAt: 1 };
  const signed = `${prefix}.${Buffer.from(JSON.stringify(past)).toString("base64url")}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}
