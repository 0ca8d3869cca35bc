import type { Page } from "playwright-core";

/** Comes back to the tab, which makes the page ask the server at once. */
const lookAgain = (page: Page) =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");

/** Takes the server away from an open page, which says so, and gives it back, after which the page no longer does. Rejects when it does otherwise. */
export async function loseServer(page: Page): Promise<void> {
  await page.route("**/*", (route) => route.abort());
  await lookAgain(page);
  const notice = page.getByRole("alert").filter({ hasText: "The server is not responding" }).first();
  await notice.waitFor();
  await page.unrouteAll();
  await lookAgain(page);
  await notice.waitFor({ state: "detached" });
}
