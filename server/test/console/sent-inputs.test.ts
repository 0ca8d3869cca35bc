import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator } from "playwright-core";
import type { ModelPart } from "#models";
import { ScriptedModel, say } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { answered, messageBox, startSession } from "./chat.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

/** One pixel. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

describe("inputs other than text", { skip: withoutBrowser }, () => {
  const model = new ScriptedModel();
  let console: Console;
  let app: string;
  before(async () => {
    console = await openConsole({ model, example: false });
    app = await appOfOneAgent(console.server, "sent-desk", { agentType: { case: "llmAgent", value: {} } });
  });
  after(() => console[Symbol.asyncDispose]());

  const heard = (): readonly ModelPart[] => model.requests.at(-1)?.messages.at(-1)?.parts ?? [];

  it("may be pasted, dropped and removed, and must not be too large", async () => {
    model.extend(say("Welcome."), say("A red dot, and a note."));
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await give(messageBox(page), "paste", { name: "dot.png", type: "image/png", base64: PICTURE });
    await page.getByRole("button", { name: "Remove dot.png" }).waitFor();
    const note = { name: "note.txt", type: "text/plain", base64: btoa("Please.") };
    await give(page.locator(".message-box"), "drop", note);
    await give(page.locator(".message-box"), "drop", { ...note, name: "twice.txt" });
    await page.getByRole("button", { name: "Remove twice.txt" }).click();
    const large = { name: "film.bin", type: "application/octet-stream", base64: "AAAA".repeat(4_100_000) };
    await give(page.locator(".message-box"), "drop", large);
    await page.getByText("Too large: film.bin").waitFor();
    await give(page.locator(".message-box"), "drop", { ...note, name: "blank.txt", base64: "" });
    await page.getByText("Empty: blank.txt. A file without content cannot be sent.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Remove blank.txt" }).count(), 0);
    await page.getByRole("button", { name: "Remove twice.txt" }).waitFor({ state: "detached" });
    assert.deepEqual(await violations(page), []);
    await messageBox(page).press("Enter");
    await answered(page, 2);
    assert.deepEqual(await page.locator(".sent-file").allInnerTexts(), ["", "note.txt\ntext/plain, 7 bytes"]);
    assert.deepEqual(
      heard().map((part) => (part.kind === "blob" ? part.mimeType : part.kind)),
      ["image/png", "text/plain"],
    );
    assert.deepEqual(opened.faults, []);
  });

  it("shows a file that is no picture of the type that it claims by its name", async () => {
    model.extend(say("Welcome."));
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await give(messageBox(page), "paste", { name: "evil.png", type: "image/png", base64: btoa("<script>") });
    await page.locator(".attachments .file-chip", { hasText: "evil.png" }).waitFor();
  });

  it("may be keys of a telephone, pressed or typed", async () => {
    model.extend(say("Welcome."), say("You pressed them."));
    await using opened = await console.open(`/console/${app}/simulator`, { width: 360 });
    const { page } = opened;
    await startSession(page);
    await page.getByRole("button", { name: "Keypad" }).click();
    const dialog = page.getByRole("dialog", { name: "Keypad" });
    for (const key of ["1", "*", "9", "0"]) await dialog.getByRole("button", { name: key, exact: true }).click();
    await dialog.getByRole("button", { name: "Delete last key" }).click();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("d");
    assert.equal(await dialog.getByLabel("Entered keys").innerText(), "1*d");
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("button", { name: "Send keys" }).click();
    await answered(page, 2);
    await page.locator(".event", { hasText: "Keys: 1*d" }).waitFor();
    assert.match(JSON.stringify(heard()), /1\*d/i);
    assert.deepEqual(opened.faults, []);
  });
});

/** Pastes a file into a place of the page or drops it there, as a browser tells of both. */
async function give(place: Locator, how: "paste" | "drop", file: GivenFile): Promise<void> {
  await place.evaluate(
    (element, { name, type, base64, how: event }) => {
      // Runs in the page, whose classes the types of these tests do not know.
      const made = (kind: string, ...given: readonly unknown[]) => new (Reflect.get(globalThis, kind))(...given);
      const transfer = made("DataTransfer");
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
      const init = { bubbles: true, cancelable: true, clipboardData: transfer, dataTransfer: transfer };
      element.dispatchEvent(made(event === "paste" ? "ClipboardEvent" : "DragEvent", event, init));
    },
    { ...file, how },
  );
}
