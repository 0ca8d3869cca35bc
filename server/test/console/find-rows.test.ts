import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const MANY = 24;

describe("lists of an app with many rows", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    for (let at = 0; at < MANY; at += 1) {
      const code = `def tool_${at}() -> dict:\n    """Number ${at}."""\n    return {"depot": ${at === 7 ? "'Harbour'" : "''"}}\n`;
      await api(console.server, "POST", `${APP}/tools?toolId=tool-${at}`, {
        displayName: `tool_${at}`,
        pythonFunction: { name: `tool_${at}`, pythonCode: code },
      });
      await api(console.server, "POST", `${APP}/agents?agentId=agent-${at}`, {
        displayName: `Agent ${at}`,
        instruction: at === 9 ? "Speak of the harbour only." : "Help.",
      });
      await api(console.server, "POST", `${APP}/evaluations?evaluationId=case-${at}`, {
        displayName: `Case ${at}`,
        tags: at % 8 === 0 ? ["smoke"] : [],
        golden: { turns: [{ steps: [{ userInput: { text: "Hello" } }] }] },
      });
    }
  });
  after(() => console[Symbol.asyncDispose]());

  it("find tools by words of their name, description and code, in an address that shows the same", async () => {
    await using opened = await console.open(`/console/${APP}/tools`);
    const { page } = opened;
    const rows = page.locator("tbody tr");
    await page.getByText(`${MANY + 4} tools`).waitFor();
    await page.getByRole("searchbox", { name: "Find tools" }).fill("HARBOUR python");
    await page.getByText(`1 of ${MANY + 4}`).waitFor();
    assert.match(await rows.innerText(), /tool_7/);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "tool_7" }).click();
    await page.getByRole("tab", { name: "Code" }).waitFor();
    await page.goBack();
    await page.getByText(`1 of ${MANY + 4}`).waitFor();
    await page.getByRole("searchbox", { name: "Find tools" }).fill("no such tool");
    await page.getByText(`0 of ${MANY + 4}`).waitFor();
    assert.equal(await rows.count(), 0);
  });

  it("find agents by their instruction, and leave the whole hierarchy drawn", async () => {
    await using opened = await console.open(`/console/${APP}/agents?find=harbour`);
    const { page } = opened;
    await page.getByRole("link", { name: "Agent 9", exact: true }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
    await page.locator(".react-flow__node", { hasText: "Agent 10" }).waitFor();
  });

  it("begin a large hierarchy at its root agent, where names can be read", async () => {
    for (let at = MANY; at < 44; at += 1)
      await api(console.server, "POST", `${APP}/agents?agentId=agent-${at}`, { displayName: `Agent ${at}` });
    const agents = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `${APP}/agents/agent-${from + at}`);
    const setChildren = (id: string, childAgents: readonly string[]) =>
      api(console.server, "PATCH", `${APP}/agents/${id}?updateMask=childAgents`, { childAgents });
    await setChildren("agent-0", agents(2, 23));
    await setChildren("agent-1", agents(23, 44));
    await setChildren("front-desk", agents(0, 2));
    await using opened = await console.open(`/console/${APP}/agents`);
    const { page } = opened;
    const root = page.locator(".react-flow__node", { hasText: "Root agent" });
    await root.waitFor();
    await page.waitForFunction(`(() => {
      const [frame, node] = [".graph", ".react-flow__node"].map((of) => [...document.querySelectorAll(of)]
        .find((one) => of === ".graph" || one.textContent.includes("Root agent")).getBoundingClientRect());
      return node.left >= frame.left && node.right <= frame.right && node.top >= frame.top && node.width > 100;
    })()`);
  });

  it("run the evaluations that were found, as those of a tag", async () => {
    await using opened = await console.open(`/console/${APP}/evaluations?words=smoke case`);
    const { page } = opened;
    await page.getByRole("button", { name: "Run 3 shown" }).click();
    await page.getByRole("dialog", { name: "Run 3 evaluations" }).waitFor();
  });

  it("let an agent choose among its tools: those it has come first, and the search hides none that is chosen", async () => {
    const agent = `${APP}/agents/agent-3`;
    await api(console.server, "PATCH", `${agent}?updateMask=tools`, { tools: [`${APP}/tools/tool-20`] });
    await using opened = await console.open(`/console/${agent}?tab=tools`);
    const { page } = opened;
    const boxes = page.getByRole("checkbox");
    await page.getByText(/^1 of \d+ selected$/).waitFor();
    assert.equal(await boxes.first().isChecked(), true);
    assert.match(await page.locator(".reference-boxes label").first().innerText(), /tool_20/);
    await page.getByRole("searchbox", { name: "Find in tools" }).fill("tool_11");
    await page.getByText(/^1 of \d+ selected, 1 found$/).waitFor();
    await boxes.first().press("Space");
    await page.getByText(/^2 of \d+ selected, 1 found$/).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Control+s");
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    const { tools } = await api<{ tools: readonly string[] }>(console.server, "GET", agent);
    assert.deepEqual(tools, [`${APP}/tools/tool-20`, `${APP}/tools/tool-11`]);
  });

  it("find changes by name, kind and action among all of the changelog, in an address that shows the same", async () => {
    const agent = `${APP}/agents/agent-5`;
    await api(console.server, "PATCH", `${agent}?updateMask=description`, { description: "Changed." });
    await using opened = await console.open(`/console/${APP}/changelogs`);
    const { page } = opened;
    const entries = page.locator("details.change");
    await page.getByRole("button", { name: "Load earlier changes" }).waitFor();
    await page.getByRole("searchbox", { name: "Name of the resource" }).fill("Agent 5");
    await page.getByRole("button", { name: "Load earlier changes" }).waitFor({ state: "detached" });
    await page.waitForFunction("document.querySelectorAll('details.change').length === 2");
    assert.match(await entries.first().innerText(), /Update\s+Agent Agent 5/);
    assert.deepEqual(await violations(page), []);
    await page.goto(`${page.url()}&action=Create&kind=Tool`);
    await page.getByText("No matching changes").waitFor();
    await page.getByRole("button", { name: /^Tool Kind/ }).click();
    await page.getByRole("option", { name: "Agent", exact: true }).click();
    await entries.first().waitFor();
    assert.match(await entries.allInnerTexts().then((all) => all.join()), /^Create\s+Agent Agent 5/);
  });

  it("are not searched where they are short", async () => {
    await using opened = await console.open(`/console/${APP}/guardrails`);
    await opened.page.getByRole("link", { name: "No card numbers" }).waitFor();
    assert.equal(await opened.page.getByRole("searchbox").count(), 0);
  });
});
