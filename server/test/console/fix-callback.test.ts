import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { rewrite, save, saved } from "./editing.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const AGENT = `${APP}/agents/front-desk`;
const BROKEN = "def before_tool_callback(tool, input, callback_context):\n    return None if input else\n";
const WHOLE =
  "def before_tool_callback(tool: Tool, input: dict, callback_context: CallbackContext):\n    return None\n";

interface AgentAnswer {
  readonly validationErrors?: readonly string[];
  readonly beforeToolCallbacks: readonly { readonly pythonCode: string }[];
}

describe("fixing a broken callback from its error", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    const body = { beforeToolCallbacks: [{ pythonCode: BROKEN }] };
    await api(console.server, "PATCH", `${AGENT}?updateMask=beforeToolCallbacks`, body);
  });
  after(() => console[Symbol.asyncDispose]());

  it("links the message to the line, and removes the message when the line is fixed", async () => {
    await using opened = await console.open(`/console/${AGENT}`);
    const { page } = opened;
    await page.getByRole("link", { name: /before_tool_callbacks\[0\], line 2/ }).click();
    const problems = page.getByRole("list", { name: "Problems in Python" });
    assert.match(await problems.innerText(), /^Line 2 \S/);
    await page.locator(".cm-lintRange-error").waitFor();
    assert.deepEqual(await violations(page), []);
    await rewrite(page, "Python", WHOLE);
    await save(page);
    await saved(page);
    await problems.waitFor({ state: "detached" });
    const agent = await api<AgentAnswer>(console.server, "GET", AGENT);
    assert.deepEqual(agent.validationErrors ?? [], []);
    assert.equal(agent.beforeToolCallbacks[0]?.pythonCode, WHOLE);
    assert.deepEqual(opened.faults, []);
  });

  it("completes what the stubs declare", async () => {
    await using opened = await console.open(`/console/${AGENT}?tab=callbacks`);
    const { page } = opened;
    await rewrite(page, "Python", "llm_request.");
    await page.keyboard.press("Control+Space");
    const offered = page.locator(".cm-tooltip-autocomplete li");
    await offered.first().waitFor();
    const names = await offered.locator(".cm-completionLabel").allInnerTexts();
    for (const name of ["model", "contents", "config"]) assert.ok(names.includes(name), `${name} among ${names}`);
  });

  it("runs a Python tool with arguments and shows its answer", async () => {
    await using opened = await console.open(`/console/${APP}/tools/look_up_order`);
    const { page } = opened;
    await page.getByRole("region", { name: "Test" }).getByText("order_id").waitFor();
    await rewrite(page, "Arguments", '{"order_id": "A-1001"}');
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("heading", { name: /^Responded in/ }).waitFor();
    assert.match(await page.locator(".code-block pre").innerText(), /A-1001/);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(opened.faults, []);
  });
});
