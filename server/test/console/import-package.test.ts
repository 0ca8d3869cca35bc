import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "order-desk", "app");

describe("importing a package with warnings", { skip: withoutBrowser }, () => {
  let console: Console;
  let folder: string;
  before(async () => {
    console = await openConsole();
    folder = await mkdtemp(join(tmpdir(), "frontdesk-package-"));
    const app = join(folder, "app");
    await cp(EXAMPLE, app, { recursive: true });
    await writeFile(
      join(app, "tools/look_up_order/python_function/python_code.py"),
      "def look_up_order(\n  order_id\n",
    );
    await writeFile(join(app, "notes.txt"), "not part of it");
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("checks the folder first, shows each warning by file and line, and imports it all the same", async () => {
    await using opened = await console.open("/console");
    const { page } = opened;
    await page.getByRole("button", { name: "Import" }).click();
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose folder" }).click();
    await (await chosen).setFiles(join(folder, "app"));
    const remarks = page.getByRole("region", { name: "Import warnings" });
    await remarks.waitFor();
    const text = await remarks.innerText();
    assert.match(text, /tools\/look_up_order\/python_function\/python_code\.py\nLine \d+: /);
    assert.match(text, /notes\.txt\nis not used by any manifest/);
    assert.deepEqual(await violations(page), []);
    assert.equal((await apps()).length, 1);
    await page.getByRole("button", { name: "Import anyway" }).click();
    await page.getByRole("link", { name: "Open app" }).click();
    await page.locator(".react-flow__node").first().waitFor();
    assert.equal((await apps()).length, 2);
    assert.deepEqual(opened.faults, []);
  });

  it("says why a file is no package and writes nothing", async () => {
    await using opened = await console.open("/console");
    const { page } = opened;
    await page.getByRole("button", { name: "Import" }).click();
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose ZIP file" }).click();
    await (await chosen).setFiles({ name: "no.zip", mimeType: "application/zip", buffer: Buffer.from("no zip") });
    await page.getByRole("dialog").getByRole("alert").waitFor();
    assert.equal((await apps()).length, 2);
  });

  async function apps(): Promise<readonly unknown[]> {
    const answer = await api<{ apps: readonly unknown[] }>(console.server, "GET", "projects/local/locations/us/apps");
    return answer.apps;
  }
});
