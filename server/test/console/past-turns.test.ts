import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say } from "#testing";
import { type Loopback, serveLoopback } from "../../src/tools/__fixtures__/loopback.ts";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { answered, sendMessage, startSession } from "./chat.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const STORE = "projects/test/locations/global/collections/default_collection/dataStores/handbook";

describe("sources and widgets of a turn", { skip: withoutBrowser }, () => {
  const model = new ScriptedModel();
  let folder: string;
  let web: Loopback;
  let console: Console;
  let app: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-past-"));
    await mkdir(join(folder, "docs"));
    await writeFile(join(folder, "docs", "returns.md"), "# Returns\nYou can send back shoes within 30 days.\n");
    web = await serveLoopback(() => ({
      results: [{ title: "News", url: "https://shop.example/news", content: "The shop has a new door." }],
    }));
    const dataStores = {
      [STORE]: { kind: "folder" as const, folder: join(folder, "docs"), baseUrl: "https://docs.example" },
    };
    const search = {
      dataStores,
      engines: {},
      corpora: {},
      filesFolder: join(folder, "files"),
      indexFolder: join(folder, "index"),
      embeddings: "",
      web: { kind: "searxng" as const, endpoint: web.origin },
    };
    console = await openConsole({ model, example: false, config: { egressAllow: ["127.0.0.1"], search } });
    app = await appOfOneAgent(console.server, "sourced", { agentType: { case: "llmAgent", value: {} } });
    const tools = {
      handbook: { dataStoreTool: { name: "handbook", dataStoreSource: { dataStore: { name: STORE } } } },
      news: { googleSearchTool: { name: "news" } },
      shoes: { widgetTool: { name: "shoes", widgetType: "PRODUCT_CAROUSEL" } },
    };
    for (const [displayName, tool] of Object.entries(tools))
      await api(console.server, "POST", `${app}/tools?toolId=the-${displayName}`, { displayName, ...tool });
    const names = Object.keys(tools).map((name) => `${app}/tools/the-${name}`);
    await api(console.server, "PATCH", `${app}/agents/root-agent?updateMask=tools`, { tools: names });
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("are shown when they come, and again when the session is read back", async () => {
    model.extend(say("Welcome."), call("handbook", { query: "send back shoes" }), say("Within 30 days."));
    model.extend(call("news", { query: "shop news" }), say("There is a new door."));
    model.extend(call("shoes", { products: [{ title: "Boots", price: "30" }, { title: "Clogs" }] }), say("Thanks."));
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "May I return them?", 2);
    const cited = page.getByRole("link", { name: "Returns" });
    await cited.waitFor();
    assert.equal(await cited.getAttribute("href"), "https://docs.example/returns.md");
    await sendMessage(page, "What is new?", 3);
    await page.getByRole("link", { name: "News" }).waitFor();
    await page.getByRole("button", { name: "shop news" }).waitFor();
    await sendMessage(page, "Show me shoes", 4);
    await page.locator(".widget-card", { hasText: "Boots" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.reload();
    await answered(page, 4);
    await page.locator(".widget-card", { hasText: "Clogs" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Returns" }).count(), 1);
    assert.equal(await page.getByRole("link", { name: "News" }).count(), 1);
    assert.equal(
      await page.getByRole("button", { name: "shop news" }).isDisabled(),
      true,
      "only the last turn's are said",
    );
    assert.equal(await page.getByRole("region", { name: "Client functions waiting" }).count(), 0);
    await page.locator(".widget-card", { hasText: "Boots" }).getByRole("button", { name: "Choose" }).click();
    await answered(page, 5);
    await page.locator(".bubble.user", { hasText: "Boots" }).waitFor();
    assert.deepEqual(opened.faults, []);
    const id = new URL(page.url()).searchParams.get("sessions");
    await page.goto(`${console.server.address}/console/${app}/conversations/${id}`);
    await page.locator(".recorded-turn").first().waitFor();
    await page.getByRole("region", { name: "Turns" }).focus();
    await page.keyboard.press("End");
    await page.locator(".widget-card", { hasText: "Boots" }).waitFor();
  });
});
