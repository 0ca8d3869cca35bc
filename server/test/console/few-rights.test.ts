import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Config } from "#app";
import { linkUrl } from "#protocols";
import { violations } from "./axe.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { saying, storeConversation } from "./stored-conversations.ts";

const AUTH: Config["auth"] = { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] };

/** Pages with what is visible once they have everything, and the buttons that nobody may press who only reads apps. */
const PAGES: readonly (readonly [page: string, ready: string, without: readonly string[]])[] = [
  ["tools", "link:look_up_order", ["Create toolset", "Create tool"]],
  ["agents", "link:Front desk", ["Create agent"]],
  ["evaluations", "link:Where is my order?", ["Run all", "Create evaluation"]],
  ["evaluations/broken-mug-return", "tab:Golden", ["Run", "Delete evaluation"]],
  ["conversations/read-only", "list:About the conversation", ["Save as evaluation", "Delete conversation"]],
  ["versions/frozen", "heading:Frozen", ["Export", "Restore", "Delete version"]],
  ["settings", "heading:Settings", ["Export", "Delete app"]],
  ["connect", "text:this app has none yet", ["Create web deployment"]],
];

describe("the console for somebody with few rights", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole({ config: { auth: AUTH } });
    await asOperator(`${APP}/versions?appVersionId=frozen`, { displayName: "Frozen" });
    await storeConversation(console.server, "read-only", [
      { messages: [saying("user", "Hello"), saying("Front desk", "Hello!")], rootSpan: { name: "Turn" } },
    ]);
    const policy = { bindings: [{ role: "roles/ces.viewer", members: ["user:vera@example.com"] }] };
    const before = (await (await asOperator("projects/local:getIamPolicy", {})).json()) as { bindings?: object[] };
    const bindings = [...(before.bindings ?? []), ...policy.bindings];
    await asOperator("projects/local:setIamPolicy", { policy: { ...before, bindings } });
  });
  after(() => console[Symbol.asyncDispose]());

  async function asOperator(path: string, body: object): Promise<Response> {
    const { text } = console.server.app.authentication.operatorToken;
    const answer = await fetch(`${console.server.address}/v1beta/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${text}` },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, path);
    return answer;
  }

  /** Opens a page as a person, "" for the operator. */
  async function openAs(person: string, path: string) {
    const link = await linkUrl(console.server.app.authentication, person && `user:${person}@example.com`);
    return console.open(`${link.slice(console.server.address.length)}&return=${encodeURIComponent(path)}`);
  }

  const shown = (page: Page, ready: string) => {
    const [kind = "", name = ""] = ready.split(":");
    return kind === "text" ? page.getByText(name) : page.getByRole(kind as "link", { name, exact: true });
  };

  it("offers whoever reads an app no button that would be refused, and the operator each of them", async () => {
    for (const [person, isOffered] of [
      ["vera", false],
      ["", true],
    ] as const) {
      await using opened = await openAs(person, `/console/${APP}/agents`);
      const { page } = opened;
      await page.getByRole("link", { name: "Front desk", exact: true }).waitFor();
      for (const [path, ready, without] of PAGES) {
        await page.goto(`${console.server.address}/console/${APP}/${path}`);
        await shown(page, ready).first().waitFor();
        await page.waitForLoadState("networkidle");
        for (const name of without) {
          const count = await page.getByRole("main").getByRole("button", { name, exact: true }).count();
          assert.equal(count > 0, isOffered, `${person || "operator"}: ${name} on ${path}`);
        }
      }
    }
  });

  it("begins at the conversations of somebody who may not talk, and says so in the simulator", async () => {
    await using opened = await openAs("vera", "/");
    const { page } = opened;
    await page.waitForURL(/\/conversations$/);
    await page.goto(`${console.server.address}/console/${APP}/simulator`);
    await page.getByText("You may look at this app, and not talk to it").waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    assert.equal(await page.getByRole("button", { name: "Send", exact: true }).isDisabled(), true);
    assert.equal(await page.getByRole("button", { name: "Start session", exact: true }).count(), 0);
    assert.deepEqual(await violations(page), []);
  });

  it("shows forms to somebody who may not change them, without a field that takes words or a button that adds", async () => {
    await using opened = await openAs("vera", `/console/${APP}/agents/front-desk`);
    const { page } = opened;
    await page.getByText("You may look at this agent, and not change it.").waitFor();
    const name = page.getByLabel("Name", { exact: true });
    assert.equal(await name.isEditable(), false);
    const code = page.getByRole("textbox", { name: "Instruction" });
    await code.focus();
    await page.keyboard.insertText("Typed by nobody");
    assert.equal(await page.getByText("Typed by nobody").count(), 0);
    await page.getByRole("tab", { name: "Tools" }).click();
    await page.getByRole("checkbox", { name: /look_up_order/ }).press("Space");
    assert.equal(await page.getByRole("checkbox", { name: /look_up_order/ }).isChecked(), false);
    await page.getByRole("tab", { name: "Callbacks" }).click();
    await page.getByText("Runs when the agent takes over the turn").waitFor();
    const editing = page.getByRole("main").getByRole("button", { name: /^(Add|Remove|Move)/ });
    assert.deepEqual(await editing.allInnerTexts(), []);
    assert.equal(await page.getByRole("switch", { name: "Enabled" }).isChecked(), true);
    await page.getByRole("switch", { name: "Enabled" }).press("Space");
    assert.equal(await page.getByRole("switch", { name: "Enabled" }).isChecked(), true);
    assert.equal(await page.getByRole("region", { name: "Unsaved changes" }).count(), 0);
    assert.deepEqual(await violations(page), []);
    for (const [path, word] of [
      ["variables", "app"],
      ["evaluations/broken-mug-return", "evaluation"],
      ["settings", "app"],
    ] as const) {
      await page.goto(`${console.server.address}/console/${APP}/${path}`);
      await page.getByText(`You may look at this ${word}, and not change it.`).waitFor();
      assert.deepEqual(await editing.allInnerTexts(), [], path);
      assert.deepEqual(await page.locator("main input:not([readonly], [type=checkbox])").count(), 0, path);
    }
    await using allowed = await openAs("", `/console/${APP}/agents/front-desk`);
    await allowed.page.getByLabel("Name", { exact: true }).waitFor();
    assert.equal(await allowed.page.getByLabel("Name", { exact: true }).isEditable(), true);
  });

  it("offers no upload to somebody who may not upload, and no run of a tool", async () => {
    await using opened = await openAs("vera", "/console/dataFiles");
    const { page } = opened;
    await page.getByRole("heading", { level: 1, name: "Data" }).waitFor();
    await page.getByText("PERMISSION_DENIED").waitFor();
    assert.equal(await page.getByRole("button", { name: "Choose file" }).count(), 0);
    await using allowed = await openAs("", "/console/dataFiles");
    await allowed.page.getByRole("button", { name: "Choose file" }).waitFor();
    await page.goto(`${console.server.address}/console/${APP}/tools`);
    await page.getByRole("link", { name: "look_up_order" }).click();
    await page.getByText("You may look at this tool, and not run it.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Run", exact: true }).isDisabled(), true);
  });

  it("has code samples that say who calls, and where the key comes from", async () => {
    await using opened = await openAs("", `/console/${APP}/connect`);
    const { page } = opened;
    await page.getByText("This server asks who calls").waitFor();
    assert.match(await page.locator("pre").first().innerText(), /authorization: Bearer \$FRONTDESK_TOKEN/);
    await page.getByRole("link", { name: "Keys", exact: true }).first().waitFor();
    assert.equal(await page.locator("p").getByRole("link", { name: "Keys" }).getAttribute("href"), "/console/keys");
  });
});
