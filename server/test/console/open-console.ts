import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { startTestServer, type TestServer, type TestServerOptions } from "#testing";

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

/** How long a test waits for what a page will show: a machine that does much else is no fault of the page. */
const PATIENCE_MS = 90_000;

/** Why tests in a browser cannot run here; false where they can. For `describe(…, { skip: withoutBrowser }, …)`. */
export const withoutBrowser = CHROMIUM
  ? false
  : "no Chromium on this machine (Debian package: chromium-headless-shell)";

/** The shipped example's app. */
export const APP = "projects/local/locations/us/apps/order-desk";

/** How a page is looked at. */
export interface Look {
  readonly theme?: "light" | "dark";
  /** Pixels. Default 1360; 360 is the narrowest that has to work. */
  readonly width?: number;
  /** Runs in the page before its own scripts. */
  readonly before?: (context: BrowserContext) => Promise<unknown>;
}

/** One open page, and what it did that it may not do. Both lists stay empty on a page that is well. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Exceptions, and what the browser wrote to its console as an error (a broken policy among it). */
  readonly faults: readonly string[];
  /** Addresses that are not the server's own. */
  readonly strangers: readonly string[];
}

/** A server with the example, and a browser. */
export interface Console extends AsyncDisposable {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Opens an address of the server ("/console") in a browser profile of its own. */
  open(path: string, look?: Look): Promise<OpenPage>;
}

/** Starts a server with the shipped example (or as `options` say) and a browser for it, with more flags than usual if need be. */
export async function openConsole(options: TestServerOptions = {}, flags: readonly string[] = []): Promise<Console> {
  const server = await startTestServer({ example: true, ...options });
  const browser = await launchBrowser(flags);
  return {
    server,
    browser,
    open: (path, look) => openPage(browser, server.address, path, look),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Starts a browser, with more flags than usual if need be. */
export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? "", args: [...FLAGS, ...flags] });
}

/** Opens one page of a server in a profile of its own. */
export async function openPage(browser: Browser, address: string, path: string, look: Look = {}): Promise<OpenPage> {
  const profile = await newProfile(browser, look);
  const opened = await openIn(profile, address, path);
  return { ...opened, [Symbol.asyncDispose]: () => profile.close() };
}

/** A browser profile: what its pages fetched, compiled and stored is there for the next. */
export async function newProfile(browser: Browser, look: Look = {}): Promise<BrowserContext> {
  const { theme = "light", width = 1360, before } = look;
  const viewport = { width, height: width < 600 ? 740 : 860 };
  const profile = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: "reduce" });
  profile.setDefaultTimeout(PATIENCE_MS);
  await before?.(profile);
  return profile;
}

/** Opens one page of a server in a profile that stays open after it. */
export async function openIn(profile: BrowserContext, address: string, path: string): Promise<OpenPage> {
  const page = await profile.newPage();
  const faults: string[] = [];
  const strangers: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${address}/`) && !/^(data|blob):/.test(url)) strangers.push(url);
  });
  await page.goto(address + path);
  return { page, faults, strangers, [Symbol.asyncDispose]: () => page.close() };
}

/** Says one thing in a session of the example, as any client would; the conversation is stored when this resolves. */
export async function converse(server: TestServer, session: string, text: string, app: string = APP): Promise<void> {
  const answer = await fetch(`${server.address}/v1beta/${app}/sessions/${session}:runSession`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config: { session: `${app}/sessions/${session}` }, inputs: [{ text }] }),
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${session}: ${body}`);
}
