import type { Locator, Page } from "playwright-core";

/** Where one writes to the agent. */
export function messageBox(page: Page | Locator): Locator {
  return page.getByLabel("Message", { exact: true });
}

/** Waits until that many turns of the page, or of the one session, are answered. */
export async function answered(page: Page | Locator, turns: number): Promise<void> {
  await page
    .locator('.turn[data-status="done"]')
    .nth(turns - 1)
    .waitFor();
}

/** Starts a session with its opening event, on the page or in one pane of it, and waits for the answer. */
export async function startSession(page: Page | Locator): Promise<void> {
  await page.getByRole("button", { name: "Start session", exact: true }).first().click();
  await answered(page, 1);
}

/** Sends a message and waits for its answer, as the turn of that number. */
export async function sendMessage(page: Page | Locator, text: string, turns: number): Promise<void> {
  await messageBox(page).fill(text);
  await messageBox(page).press("Enter");
  await answered(page, turns);
}

/** Chooses in a list that opens by a button. */
export async function choose(page: Page, button: Locator, option: string | RegExp): Promise<void> {
  await button.click();
  await page.getByRole("option", { name: option }).click();
}
