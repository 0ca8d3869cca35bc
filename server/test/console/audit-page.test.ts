import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Config } from "#app";
import { linkUrl } from "#protocols";
import { violations } from "./axe.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const AUTH: Config["auth"] = { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] };
const AGENT = `${APP}/agents/returns-desk`;
const TOOL = `${APP}/tools/start_return`;

describe("the page of the audit log", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole({ config: { auth: AUTH } });
    await call("PATCH", `${AGENT}?updateMask=description`, { description: "Takes returns." });
    await call("PATCH", `${TOOL}?updateMask=timeout`, { timeout: "20s" });
    const binding = { role: "roles/ces.viewer", members: ["user:vera@example.com"] };
    await call("POST", `${APP}:setIamPolicy`, { policy: { bindings: [binding] } });
  });
  after(() => console[Symbol.asyncDispose]());

  async function call(method: string, path: string, body: object): Promise<void> {
    const { text } = console.server.app.authentication.operatorToken;
    const answer = await fetch(`${console.server.address}/v1beta/${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${text}` },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
  }

  /** Opens a page as a person, "" for the operator. */
  async function openAs(person: string, path: string) {
    const link = await linkUrl(console.server.app.authentication, person && `user:${person}@example.com`);
    return console.open(`${link.slice(console.server.address.length)}&return=${encodeURIComponent(path)}`);
  }

  it("lists calls by method, and leads to what they changed", async () => {
    await using opened = await openAs("", "/console/audit");
    const { page } = opened;
    const table = page.getByRole("table");
    await table.getByText("SetIamPolicy").first().waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Method").fill("UpdateTool");
    await page.waitForURL(/method=UpdateTool/);
    await table.getByText("SetIamPolicy").first().waitFor({ state: "detached" });
    assert.equal(await table.getByRole("row").count(), 2, "the heading and the only update of a tool");
    await table.getByRole("link", { name: "start_return" }).click();
    await page.waitForURL(new RegExp(`/console/${TOOL}$`));
    assert.deepEqual(opened.faults, []);
  });

  it("is reached from a resource, with the entries of it and no others", async () => {
    await using opened = await openAs("", `/console/${AGENT}`);
    const { page } = opened;
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Audit log" }).click();
    await page.getByRole("table").getByText("UpdateAgent").waitFor();
    assert.equal(await page.getByLabel("Resource").inputValue(), AGENT);
    assert.equal(await page.getByRole("row").count(), 2);
    await page.getByLabel("Caller").fill("user:nobody@example.com");
    await page.getByRole("heading", { name: "No entries" }).waitFor();
    assert.deepEqual(opened.faults, []);
  });

  it("shows what concerns no project to who may see the whole server", async () => {
    await using opened = await openAs("", "/console/audit?project=projects/-&range=hour");
    await opened.page.getByRole("table").getByText(/link/i).first().waitFor();
    assert.deepEqual(opened.faults, []);
  });

  it("is offered to nobody who may not read it", async () => {
    await using opened = await openAs("vera", `/console/${AGENT}`);
    const { page } = opened;
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "History of changes" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Audit log" }).count(), 0);
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("navigation").getByRole("link", { name: "Audit" }).count(), 0);
    await page.goto(`${console.server.address}/console/audit`);
    await page.getByText("PERMISSION_DENIED").waitFor();
    assert.equal(await page.getByText("No entries").count(), 0, "that is not known");
  });
});
