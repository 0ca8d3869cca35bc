import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The first that is there. The headless shell is the same engine without a desktop around it, at three quarters of the cost. */
const CHROMIUM = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long a browser outlives its last user, milliseconds: enough for the next test file of the process to begin. */
const KEEP_MS = 200;

/** Why tests in a browser cannot run here; false where they can. For `describe(…, { skip: withoutBrowser }, …)`. */
export const withoutBrowser = CHROMIUM
  ? false
  : "no Chromium on this machine (Debian package: chromium-headless-shell)";

/** A browser that somebody uses; `release` ends that use. */
interface BorrowedBrowser {
  readonly browser: Browser;
  release(): Promise<void>;
}

interface Shared {
  readonly launched: Promise<Browser>;
  users: number;
  closing: NodeJS.Timeout | undefined;
}

/** The browser of this process, while it has users. */
let shared: Shared | undefined;

/** Starts a browser, with more flags than usual if need be. */
export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? "", args: [...FLAGS, ...flags] });
}

/** The browser of this process, which the test files that run in it share, or one of its own for somebody with flags. */
export async function borrowBrowser(flags: readonly string[] = []): Promise<BorrowedBrowser> {
  if (flags.length > 0) {
    const browser = await launchBrowser(flags);
    return { browser, release: () => browser.close() };
  }
  shared ??= { launched: launchBrowser(), users: 0, closing: undefined };
  const current = shared;
  current.users += 1;
  clearTimeout(current.closing);
  return { browser: await current.launched, release: async () => leave(current) };
}

function leave(current: Shared): void {
  current.users -= 1;
  if (current.users > 0) return;
  current.closing = setTimeout(async () => {
    shared = undefined;
    await (await current.launched).close();
  }, KEEP_MS);
}
