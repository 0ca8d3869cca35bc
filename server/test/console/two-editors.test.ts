import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { rewrite, save, saved } from "./editing.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const AGENT = `${APP}/agents/returns-desk`;
const PAGE = `/console/${AGENT}`;

interface AgentAnswer {
  readonly instruction: string;
  readonly description: string;
}

describe("two people edit the same agent", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("shows both texts to the one who saves last and keeps what each of them wrote", async () => {
    await using first = await console.open(PAGE);
    await rewrite(first.page, "Instruction", "Mine, typed first");
    const theirs = { instruction: "Theirs, saved meanwhile", description: "Theirs as well" };
    await api(console.server, "PATCH", `${AGENT}?updateMask=instruction,description`, theirs);
    await save(first.page);
    const dialog = first.page.getByRole("dialog", { name: "Someone else changed this resource" });
    const diff = dialog.getByRole("region", { name: "Instruction: theirs and yours" });
    assert.match(await diff.innerText(), /Theirs, saved meanwhile[\s\S]*Mine, typed first/);
    assert.deepEqual(await violations(first.page), []);
    assert.equal((await read(console)).instruction, theirs.instruction);
    await dialog.getByRole("button", { name: "Decide later" }).click();
    await dialog.waitFor({ state: "detached" });
    await save(first.page);
    await dialog.getByRole("button", { name: "Apply" }).click();
    await save(first.page);
    await saved(first.page);
    assert.deepEqual(await read(console), { instruction: "Mine, typed first", description: theirs.description });
    assert.deepEqual(
      first.faults.filter((fault) => !fault.includes("409")),
      [],
    );
  });

  it("shows the other editor's change where nothing was typed", async () => {
    await using opened = await console.open(PAGE);
    await opened.page.getByRole("textbox", { name: "Instruction" }).waitFor();
    await api(console.server, "PATCH", `${AGENT}?updateMask=instruction`, { instruction: "Changed elsewhere" });
    await opened.page.locator(".cm-content", { hasText: "Changed elsewhere" }).waitFor();
  });

  it("keeps what was typed over a reload and asks before leaving", async () => {
    await using opened = await console.open(PAGE);
    const { page } = opened;
    await rewrite(page, "Instruction", "Not saved yet");
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor();
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("frontdesk.draft.")));
    await page.reload();
    await page.locator(".cm-content", { hasText: "Not saved yet" }).waitFor();
    await page.getByRole("link", { name: "Tools", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Leave this page?" });
    await dialog.waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.locator(".cm-content", { hasText: "Not saved yet" }).waitFor({ state: "detached" });
  });

  it("keeps what one tab typed while another tab of the browser follows the server", async () => {
    await using opened = await console.open(PAGE);
    const { page } = opened;
    const other = await page.context().newPage();
    await other.goto(console.server.address + PAGE);
    await other.locator(".cm-content").waitFor();
    await page.getByRole("textbox", { name: "Description" }).fill("Typed in one tab");
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("frontdesk.draft.")));
    await api(console.server, "PATCH", `${AGENT}?updateMask=instruction`, { instruction: "Meanwhile" });
    await other.locator(".cm-content", { hasText: "Meanwhile" }).waitFor();
    await rewrite(other, "Instruction", "Saved in the other tab");
    await save(other);
    await saved(other);
    await page.reload();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Description" }).inputValue(), "Typed in one tab");
    await page.getByRole("button", { name: "Discard" }).click();
  });

  it("keeps the texts of two tabs apart, each over its reload, also right after a key", async () => {
    await using opened = await console.open(PAGE);
    const { page } = opened;
    const other = await page.context().newPage();
    await other.goto(console.server.address + PAGE);
    const description = (tab: typeof page) => tab.getByRole("textbox", { name: "Description" });
    await description(other).waitFor();
    await description(page).fill("First tab");
    await page.reload();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor();
    await description(other).fill("Second tab");
    await other.reload();
    await other.getByRole("region", { name: "Unsaved changes" }).waitFor();
    await page.reload();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor();
    assert.deepEqual(
      [await description(page).inputValue(), await description(other).inputValue()],
      ["First tab", "Second tab"],
    );
    // A third tab shows the newest, and deletes of the others what it took over and nothing else.
    const third = await page.context().newPage();
    await third.goto(console.server.address + PAGE);
    await third.getByRole("region", { name: "Unsaved changes" }).waitFor();
    assert.equal(await description(third).inputValue(), "Second tab");
    await third.getByRole("button", { name: "Discard" }).click();
    const left = await page.evaluate(() =>
      Object.values(localStorage).filter((text) => /(First|Second) tab/.test(text)),
    );
    assert.equal(left.length, 1);
    assert.match(left[0] ?? "", /First tab/);
    await page.getByRole("button", { name: "Discard" }).click();
  });

  it("keeps the texts of a tab and of its duplicate apart", async () => {
    await using opened = await console.open(PAGE);
    const { page } = opened;
    const description = (tab: typeof page) => tab.getByRole("textbox", { name: "Description" });
    await description(page).fill("First tab");
    await page.reload();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor();
    // A window that a page opens begins with a copy of its storage, as a duplicated tab does.
    const opening = page.waitForEvent("popup");
    await page.evaluate("void window.open(location.href)");
    const copy = await opening;
    await copy.getByRole("region", { name: "Unsaved changes" }).waitFor();
    assert.equal(await description(copy).inputValue(), "First tab");
    await description(copy).fill("Its duplicate");
    await copy.reload();
    await page.reload();
    for (const tab of [page, copy]) await tab.getByRole("region", { name: "Unsaved changes" }).waitFor();
    assert.deepEqual(
      [await description(page).inputValue(), await description(copy).inputValue()],
      ["First tab", "Its duplicate"],
    );
    await copy.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
  });

  it("shows an error of the server at its field", async () => {
    await using opened = await console.open(PAGE);
    const { page } = opened;
    await page.getByRole("textbox", { name: "Name" }).fill("Front desk");
    await save(page);
    const field = page.locator(".field", { has: page.getByRole("textbox", { name: "Name" }) });
    await field.locator(".invalid").waitFor();
    assert.match(await field.locator(".invalid").innerText(), /Front desk/);
  });

  it("saves an instruction of 2 MB and runs nothing that a name or a text says", async () => {
    const evil = "<script>globalThis.ran = true</script><img src=x onerror='globalThis.ran = true'>";
    const name = `${APP}/agents/evil-name`;
    const long = `${"Answer kindly. ".repeat(140_000)}\n${evil}`;
    await api(console.server, "POST", `${APP}/agents?agentId=evil-name`, { displayName: evil, instruction: long });
    await using opened = await console.open(`/console/${name}`);
    const { page } = opened;
    await page.locator(".cm-line").first().waitFor();
    await page.getByRole("textbox", { name: "Instruction" }).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.insertText("Begin. ");
    await save(page);
    await saved(page);
    assert.equal((await read(console, name)).instruction, `Begin. ${long}`);
    await page.goto(`${console.server.address}/console/${APP}/agents`);
    await page.getByRole("link", { name: evil }).waitFor();
    assert.equal(await page.evaluate(() => "ran" in globalThis), false);
    assert.deepEqual(opened.faults, []);
  });
});

async function read({ server }: Console, name = AGENT): Promise<AgentAnswer> {
  const { instruction, description } = await api<AgentAnswer>(server, "GET", name);
  return { instruction, description };
}
