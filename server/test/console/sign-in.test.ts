import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Config } from "#app";
import { linkUrl } from "#protocols";
import { type OidcIssuer, startSignInIssuer } from "../identity/oidc-issuer.ts";
import { violations } from "./axe.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const AUTH: Config["auth"] = { mode: "required", issuers: [], scopes: {}, sessionMs: 3_600_000, trustedProxies: [] };

describe("the console of a server that asks who calls", { skip: withoutBrowser }, () => {
  let console: Console;
  let oidc: OidcIssuer;
  before(async () => {
    oidc = await startSignInIssuer((id) => ({ email: `${id}@example.com`, email_verified: true }));
    const { issuer } = oidc;
    const people = { audiences: [], kind: "user", project: "local", domains: ["example.com"] } as const;
    const auth = { ...AUTH, issuers: [{ name: "acme", issuer, ...people }] };
    console = await openConsole({
      config: {
        auth: { ...auth, console: { issuer: "acme", clientId: "console", clientSecret: "secret", scopes: [] } },
      },
    });
    await grant("roles/owner", "ann");
    await grant("roles/ces.viewer", "vera");
    await grant("roles/viewer", "vic");
  });
  after(() => Promise.all([console[Symbol.asyncDispose](), oidc[Symbol.asyncDispose]()]));

  /** An address that signs in a person without the issuer; "" for the operator. */
  const linkFor = async (name: string, page: string) => {
    const link = await linkUrl(console.server.app.authentication, name && `user:${name}@example.com`);
    return `${link.slice(console.server.address.length)}&return=${encodeURIComponent(page)}`;
  };

  const call = (path: string, headers: Readonly<Record<string, string>>, body?: object) =>
    fetch(`${console.server.address}/v1beta/${path}`, {
      headers: { "content-type": "application/json", ...headers },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });

  async function grant(role: string, name: string): Promise<void> {
    const operator = { authorization: `Bearer ${console.server.app.authentication.operatorToken.text}` };
    const policy = (await (await call("projects/local:getIamPolicy", operator, {})).json()) as { bindings?: object[] };
    const bindings = [...(policy.bindings ?? []), { role, members: [`user:${name}@example.com`] }];
    const answer = await call("projects/local:setIamPolicy", operator, { policy: { ...policy, bindings } });
    assert.equal(answer.status, 200, await answer.text());
  }

  const places = (page: Page) => page.locator(".sidebar-link").allInnerTexts();

  it("sends a person to the issuer and back to the page that was asked for", async () => {
    await using opened = await console.open(`/console/${APP}/agents`);
    const { page } = opened;
    const button = page.getByRole("link", { name: "Sign in with acme" });
    await button.waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await places(page), []);
    await button.click();
    await page.locator("input[name=login]").fill("ann");
    await page.locator("input[name=password]").fill("any");
    await page.locator("button[type=submit]").click();
    await page.locator("button[type=submit]").click();
    await page.locator(".react-flow__node").first().waitFor();
    assert.equal(new URL(page.url()).pathname, `/console/${APP}/agents`);
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByText("user:ann@example.com").waitFor();
    await page.getByText("Manage members").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Sign out" }).click();
    await button.waitFor();
    // The pages of the issuer ask for fonts elsewhere.
    assert.deepEqual(
      opened.faults.filter((fault) => !fault.includes("ERR_NAME_NOT_RESOLVED")),
      [],
    );
  });

  it("says what went wrong with a sign-in", async () => {
    const link = await linkFor("ann", "/console");
    await using first = await console.open(link);
    await first.page.locator("table").waitFor();
    await using again = await console.open(link);
    await again.page.getByText("The link was used before or is too old").waitFor();
    assert.deepEqual(await violations(again.page), []);
  });

  it("shows what a data agent knows, and lets only those change it who may", async () => {
    const address = "/console/projects/local/locations/us/dataAgents/shop#describe";
    for (const [name, mayChange] of [
      ["vic", false],
      ["ann", true],
    ] as const) {
      await using opened = await console.open(await linkFor(name, address));
      const { page } = opened;
      const field = page.getByRole("textbox", { name: "What a row of orders is" });
      await field.waitFor();
      // What the person may do is known a moment after what there is to see.
      await (await field.elementHandle())?.waitForElementState(mayChange ? "enabled" : "disabled");
      await page.getByRole("tab", { name: "Semantic model" }).click();
      await page.getByText("no semantic model of its own").waitFor();
      const [choose, mayRead] = [
        page.getByRole("button", { name: "Choose files" }),
        page.getByText("You may read what this data agent knows."),
      ];
      await (mayChange ? choose : mayRead).waitFor();
      assert.equal(await (mayChange ? mayRead : choose).count(), 0);
      assert.deepEqual(opened.faults, []);
    }
  });

  it("makes, shows and revokes keys, of which the secret is shown once", async () => {
    await using opened = await console.open(await linkFor("ann", "/console/keys"));
    const { page, faults } = opened;
    await page.getByText("No keys").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Kind" }).click();
    await page.getByRole("option", { name: "API key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Nightly report");
    await page.getByRole("button", { name: /Role on/ }).click();
    await page.getByRole("option", { name: "roles/viewer" }).click();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByText("The key is made").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("button", { name: "Close" }).count(), 0, "it is not lost by a key or a click");
    const key = await page.locator(".code-block pre").innerText();
    assert.match(key, /^fdkey1\./);
    assert.equal((await call(APP, { "x-goog-api-key": key })).status, 200);
    await page.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row").filter({ hasText: "Nightly report" });
    await row.getByText("API key").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Replace Nightly report" }).click();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByText("The key is made").waitFor();
    const next = await page.locator(".code-block pre").innerText();
    assert.notEqual(next, key);
    await page.getByRole("button", { name: "Done" }).click();
    for (const each of [key, next])
      assert.equal((await call(APP, { "x-goog-api-key": each })).status, 200, "both keys may what the first one may");
    const revoke = page.getByRole("button", { name: "Revoke Nightly report" });
    for (const left of [1, 0]) {
      await revoke.first().click();
      await page.getByLabel("Type the name to confirm").fill("Nightly report");
      await page.getByRole("button", { name: "Revoke", exact: true }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      if (left > 0) await page.locator("tbody tr").nth(1).waitFor({ state: "detached" });
    }
    await page.getByText("No keys").waitFor();
    for (const each of [key, next]) assert.equal((await call(APP, { "x-goog-api-key": each })).status, 401);
    assert.deepEqual(faults, []);
  });

  it("gives and takes roles, and shows why the last owner stays", async () => {
    await using opened = await console.open(await linkFor("ann", "/console/members"));
    const { page } = opened;
    await page.getByRole("button", { name: "Add member" }).click();
    await page.getByRole("textbox", { name: "Member" }).fill("eve@example.com");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("dialog").getByRole("button", { name: "Add member" }).click();
    const remove = page.getByRole("button", { name: "Remove user:eve@example.com from roles/ces.viewer" });
    await remove.click();
    await remove.waitFor({ state: "detached" });
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Remove user:ann@example.com from roles/owner" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal(await page.getByText("user:ann@example.com").count(), 1);
  });

  it("shows only what the person may do", async () => {
    await using opened = await console.open(await linkFor("vera", `/console/${APP}/agents`));
    const { page, faults } = opened;
    await page.locator(".react-flow__node").first().waitFor();
    await page.getByRole("link", { name: "Tools" }).waitFor();
    const seen = await places(page);
    assert.deepEqual(
      ["Simulator", "Agents", "Account", "Keys", "Members"].filter((place) => seen.includes(place)),
      ["Agents", "Account"],
    );
    assert.equal(await page.getByRole("button", { name: "Create agent" }).count(), 0);
    await page.goto(`${console.server.address}/console/${APP}/agents/front-desk`);
    await page.locator(".cm-content").first().waitFor();
    assert.equal(await page.getByRole("button", { name: "Delete agent" }).count(), 0);
    assert.deepEqual(faults, []);
  });

  it("keeps what was typed when the session ends, and goes on after a sign-in in another tab", async () => {
    await using opened = await console.open(await linkFor("ann", `/console/${APP}/simulator`));
    const { page } = opened;
    const message = page.getByLabel("Message", { exact: true });
    await message.fill("Where is my order A-1001?");
    await page.evaluate(`fetch("/auth/session").then((answer) => answer.json()).then(({ csrfToken }) =>
      fetch("/auth/logout", { method: "POST", headers: { "x-frontdesk-csrf": csrfToken } }))`);
    await page.keyboard.press("Enter");
    await page.getByText("Your session has ended. Your input is kept.").waitFor();
    assert.deepEqual(await violations(page), []);
    const other = await page.context().newPage();
    await other.goto(console.server.address + (await linkFor("ann", "/console/account")));
    await other.getByText("user:ann@example.com").waitFor();
    await page.bringToFront();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByText("Your session has ended").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Retry" }).click();
    await page.locator('.turn[data-status="done"]', { hasText: "Where is my order A-1001?" }).waitFor();
  });

  it("says in a dialog, too, how to sign in again without losing what was typed, and goes on there", async () => {
    await using opened = await console.open(await linkFor("ann", `/console/${APP}/agents`));
    const { page } = opened;
    await page.getByRole("button", { name: "Create agent" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Refunds");
    await page.context().clearCookies();
    await dialog.getByRole("button", { name: "Create agent" }).click();
    await dialog.getByText("You are signed out. What you typed is kept").waitFor();
    assert.deepEqual(await violations(page), []);
    const opening = page.waitForEvent("popup");
    await dialog.getByRole("link", { name: "sign in again" }).click();
    const other = await opening;
    await other.goto(console.server.address + (await linkFor("ann", "/console/account")));
    await other.getByText("user:ann@example.com").waitFor();
    const renewed = page.waitForResponse("**/auth/session");
    await page.bringToFront();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await renewed;
    await dialog.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { level: 1, name: "Refunds" }).waitFor();
  });

  it("lets a person log in a program, and says from where it began", async () => {
    const { deviceLogins } = console.server.app.authentication;
    const { userCode, deviceCode } = await deviceLogins.begin("10.1.2.3");
    await using opened = await console.open(await linkFor("ann", `/console/device?code=${userCode}`));
    const { page } = opened;
    await page.getByText("10.1.2.3").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("The program is logged in").waitFor();
    const person = await deviceLogins.poll(deviceCode);
    assert.equal(typeof person === "string" ? person : person.principal, "user:ann@example.com");
    assert.deepEqual(await violations(page), []);
  });
});
