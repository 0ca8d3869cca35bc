import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { APP, type Console, converse, openConsole, withoutBrowser } from "./open-console.ts";

describe("a trace and the editors of what it names", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    await converse(console.server, "about-an-order", "Where is my order A-1001?");
  });
  after(() => console[Symbol.asyncDispose]());

  const WAYS = [
    { span: "Tool", link: "Tool look_up_order", page: "look_up_order" },
    { span: "Guardrail", link: "Guardrail No card numbers", page: "No card numbers" },
    { span: "Transfer", link: "Agent Order status", page: "Order status" },
    { span: "LLM", link: "Agent Order status", page: "Order status" },
    { span: "Callback", link: /^\w+ callback$/, page: /^(Front desk|Order status)$/ },
  ] as const;

  for (const { span, link, page: title } of WAYS) {
    it(`lead from a span of ${span} to the page of ${link}, by keyboard`, async () => {
      await using opened = await console.open(`/console/${APP}/conversations/about-an-order`);
      const { page, faults } = opened;
      await page
        .locator(".waterfall .span", { hasText: new RegExp(`^${span}`) })
        .last()
        .press("Enter");
      const detail = page.locator(".detail");
      await detail.getByRole("link", { name: link }).first().waitFor();
      assert.deepEqual(await violations(page), []);
      await detail.getByRole("link", { name: link }).first().press("Enter");
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      assert.deepEqual(faults, []);
    });
  }
});
