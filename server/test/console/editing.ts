import type { Page } from "playwright-core";

/** Puts a text in the place of the whole text of an editor for code. */
export async function rewrite(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name: label, exact: true }).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

/** Saves what was changed; what became of it shows later. */
export async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

/** Waits until nothing is left to be saved. */
export async function saved(page: Page): Promise<void> {
  await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
}
