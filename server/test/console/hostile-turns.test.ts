import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { sendMessage, startSession } from "./chat.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const SCRIPT = "<script>window.broken = 1</script>";
const IMAGE = '<img src="x" onerror="window.broken = 1">';

describe("a turn that means harm", { skip: withoutBrowser }, () => {
  const products = [
    { title: IMAGE, link: "javascript:window.broken=1", price: "9" },
    { title: "x".repeat(300_000), link: "https://shop.example/a", price: "" },
  ];
  const model = new ScriptedModel(
    call(SCRIPT, { a: IMAGE }),
    say(`${SCRIPT}${IMAGE}`),
    call("show", { products }),
    call("show", { products: "no list" }),
  );
  let console: Console;
  let app: string;
  before(async () => {
    console = await openConsole({ model, example: false });
    app = await appOfOneAgent(console.server, "hostile", { agentType: { case: "llmAgent", value: {} } });
    const tool = `${app}/tools/show-products`;
    const parameters = { type: "OBJECT", properties: { products: { type: "ARRAY" } } };
    await api(console.server, "POST", `${app}/tools?toolId=show-products`, {
      displayName: "show",
      widgetTool: { name: "show", widgetType: "PRODUCT_CAROUSEL", parameters },
    });
    await api(console.server, "PATCH", `${app}/agents/root-agent?updateMask=tools`, { tools: [tool] });
  });
  after(() => console[Symbol.asyncDispose]());

  it("runs nothing, links to nothing of a script, and leaves the page usable", async () => {
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    assert.match(await page.locator(".bubble.agent").innerText(), /<script>window\.broken = 1<\/script><img/);
    assert.equal(await page.locator(".step.tool b").innerText(), SCRIPT);
    await sendMessage(page, "Show me", 2);
    await page.locator(".widget-card").nth(1).waitFor();
    assert.equal(await page.locator(".widget-card").count(), 2);
    assert.deepEqual(
      await page.locator(".payload a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
      ["https://shop.example/a"],
    );
    await sendMessage(page, "Once more", 3);
    await page.locator(".turn").nth(2).locator(".payload").waitFor();
    assert.equal(await page.locator(".widget-card").count(), 2);
    assert.equal(await page.evaluate("window.broken"), undefined);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual({ faults: opened.faults, strangers: opened.strangers }, { faults: [], strangers: [] });
  });
});
