import type { Page } from "playwright-core";

/** An address that has no page, where the console asks the server for nothing. */
const REST = "/console/-";

/** How long an open page may take to go to rest, milliseconds. */
const REST_MS = 2_000;

/** What the console has read of the server: its client of queries, which every component gets from the top. */
const QUERIES = `(() => {
  const root = document.getElementById("root");
  const container = Object.keys(root).find((key) => key.startsWith("__reactContainer$"));
  let fiber = root[container].stateNode.current;
  while (fiber.memoizedProps?.client?.getQueryCache === undefined) fiber = fiber.child;
  return fiber.memoizedProps.client;
})()`;

/** Goes to an address as the browser's own buttons do. */
const go = (path: string) =>
  `history.pushState({}, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"));`;

/**
 * Leaves what the console shows without leaving the console, and removes what it stored. Answers false where that cannot be: it is
 * another page, it asks before one leaves, or it is broken.
 */
export async function rest(page: Page): Promise<boolean> {
  if (!new URL(page.url()).pathname.startsWith("/console/")) return false;
  try {
    await page.evaluate(go(REST));
    await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor({ timeout: REST_MS });
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    return (await page.getByRole("dialog").count()) === 0;
  } catch {
    return false;
  }
}

/**
 * Opens an address in a console at rest, which knows no more of the server than one that was loaded now. Where another server had this
 * address, the console first learns that this one responds.
 */
export async function wake(page: Page, path: string): Promise<void> {
  await page.evaluate(`(async () => {
    const queries = ${QUERIES};
    queries.removeQueries({ type: "inactive" });
    await queries.refetchQueries({ predicate: ({ state }) => state.status === "error" });
    void queries.invalidateQueries();
    ${go(path)}
  })()`);
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor({ state: "detached" });
}
