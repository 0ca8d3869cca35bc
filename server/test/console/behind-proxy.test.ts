import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

/** What nginx answers in place of a server, or of calls that it does not let through. */
const pageOf = (status: number, title: string) => ({
  status,
  contentType: "text/html",
  body: `<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>`,
});

describe("the console behind a proxy", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("says that the server is not responding when the proxy has lost it, and goes on when it is back", async () => {
    await using opened = await console.open("/console", { anew: true });
    const { page } = opened;
    await page.getByRole("link", { name: "Order desk" }).first().waitFor();
    await page.route(/\/(healthz|v1beta|google\.cloud)/, (route) => route.fulfill(pageOf(502, "Bad Gateway")));
    const notice = page.getByRole("alert").filter({ hasText: "The server is not responding" }).first();
    await notice.waitFor();
    await page.unrouteAll();
    await notice.waitFor({ state: "detached" });
  });

  it("says in words what the proxy refused, in a list and over REST", async () => {
    await using opened = await console.open("/console", { anew: true });
    const { page } = opened;
    await page.getByRole("link", { name: "Order desk" }).first().waitFor();
    await page.route(/\/(v1beta|google\.cloud)/, (route) => route.fulfill(pageOf(429, "Too Many Requests")));
    for (const path of ["tools", "evaluations"]) {
      await page.goto(`${console.server.address}/console/${APP}/${path}`);
      const said = page.getByText("A proxy between this page and the server takes no more calls for now").first();
      await said.waitFor();
      assert.equal(await page.getByText("HTTP 429").count(), 0);
    }
  });

  it("shows in a list what a server says that responds and cannot read", async () => {
    await using opened = await console.open("/console", { anew: true });
    const { page } = opened;
    await page.getByRole("link", { name: "Order desk" }).first().waitFor();
    const message = "The database cannot be reached: connection refused.";
    await page.route(/\/google\.cloud.*ListTools/, (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        body: JSON.stringify({ code: "unavailable", message }),
      }),
    );
    await page.goto(`${console.server.address}/console/${APP}/tools`);
    await page.getByRole("alert").filter({ hasText: message }).waitFor();
  });
});
