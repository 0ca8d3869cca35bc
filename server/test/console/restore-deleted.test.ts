import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

interface Kept {
  readonly displayName: string;
  readonly pythonFunction?: object;
  readonly contentFilter?: object;
  readonly instruction?: string;
  readonly tools?: readonly string[];
  readonly guardrails?: readonly string[];
  readonly childAgents?: readonly string[];
}

/** What is deleted, and who listed it in which field. */
const DELETED = [
  ["tools/look_up_order", "agents/order-status", "tools"],
  ["guardrails/no-card-numbers", "", "guardrails"],
  ["agents/order-status", "agents/front-desk", "childAgents"],
] as const;

describe("what was deleted in an app", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  for (const [path, owner, field] of DELETED)
    it(`is restored from the changelog with its place: ${path}`, async () => {
      const read = (name: string) => api<Kept>(console.server, "GET", name);
      const [name, lister] = [`${APP}/${path}`, owner ? `${APP}/${owner}` : APP];
      const before = await read(name);
      assert.ok((await read(lister))[field]?.includes(name));
      await api(console.server, "DELETE", `${name}?force=true`);
      assert.ok(!(await read(lister))[field]?.includes(name));
      await using opened = await console.open(`/console/${APP}/changelogs`);
      const { page } = opened;
      await page.locator("details.change", { hasText: before.displayName }).first().locator("summary").click();
      await page.getByRole("button", { name: "Restore" }).click();
      await page.getByText("Restored.").waitFor();
      const own = ({ displayName, pythonFunction, contentFilter, instruction, tools }: Kept) => ({
        displayName,
        pythonFunction,
        contentFilter,
        instruction,
        tools,
      });
      assert.deepEqual(own(await read(name)), own(before));
      assert.ok((await read(lister))[field]?.includes(name), "it is listed where it was");
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(opened.faults, []);
    });
});
