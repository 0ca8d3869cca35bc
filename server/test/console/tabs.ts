import type { Browser, BrowserContext, ConsoleMessage, Page, Request } from "playwright-core";
import { rest, wake } from "./resting-console.ts";

/** How long a test waits for what a page will show: a machine that does much else is no fault of the page. */
const PATIENCE_MS = 90_000;

/** How a page is looked at. */
export interface Look {
  readonly theme?: "light" | "dark";
  /** Pixels. Default 1360; 360 is the narrowest that has to work. */
  readonly width?: number;
  /** Whether the page is loaded although the console is open in a tab already. Default false. */
  readonly anew?: boolean;
  /** Runs in the page before its own scripts, in a profile of its own. */
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

/** The tabs of one server's console, each the only one of its profile. */
interface Tabs {
  /**
   * Opens a page of the console in a tab that nobody uses, as a person does who comes from another page: loading it costs five
   * times as much. It finds nothing that another page stored or read.
   */
  open(path: string, look?: Look): Promise<OpenPage>;
  /** Keeps one idle tab for the next server at this address, and closes the others. */
  close(): Promise<void>;
}

/** The idle tab that each console left, by its address. The next console there is opened in it. */
const left = new WeakMap<Browser, Map<string, Page>>();

/** `isLoadedAlways`: no page comes after another one without being loaded. */
export function tabsOf(browser: Browser, address: string, isLoadedAlways: boolean): Tabs {
  const idle: Page[] = isLoadedAlways ? [] : takeLeft(browser, address);
  const loaded = new WeakSet<Page>(idle);
  const load = async (page: Page, path: string, anew: boolean) => {
    const isOpen = loaded.has(page) && !anew && !isLoadedAlways && path.startsWith("/console");
    await (isOpen ? wake(page, path) : page.goto(address + path));
  };
  const putBack = async (page: Page) => {
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    if (!isLoadedAlways && (await rest(page))) {
      loaded.add(page);
      idle.push(page);
    } else await page.context().close();
  };
  return {
    async open(path, look = {}) {
      const page = idle.pop() ?? (await newTab(browser, {}));
      return openIn(
        page,
        address,
        look,
        () => load(page, path, look.anew ?? false),
        () => putBack(page),
      );
    },
    async close() {
      for (const page of idle.splice(1)) await page.context().close();
      const [last] = idle.splice(0);
      if (last) left.set(browser, (left.get(browser) ?? new Map<string, Page>()).set(address, last));
    },
  };
}

function takeLeft(browser: Browser, address: string): Page[] {
  const page = left.get(browser)?.get(address);
  left.get(browser)?.delete(address);
  return page ? [page] : [];
}

/** Opens one page of a site in a profile of its own. */
export async function openPage(browser: Browser, address: string, path: string, look: Look = {}): Promise<OpenPage> {
  const page = await newTab(browser, look);
  const load = () => page.goto(address + path);
  return openIn(page, address, look, load, () => page.context().close());
}

async function newTab(browser: Browser, { before }: Look): Promise<Page> {
  const profile = await browser.newContext({ reducedMotion: "reduce" });
  profile.setDefaultTimeout(PATIENCE_MS);
  await before?.(profile);
  return profile.newPage();
}

async function openIn(
  page: Page,
  address: string,
  { theme = "light", width = 1360 }: Look,
  load: () => Promise<unknown>,
  end: () => Promise<void>,
): Promise<OpenPage> {
  await page.setViewportSize({ width, height: width < 600 ? 740 : 860 });
  await page.emulateMedia({ colorScheme: theme });
  const { stop, ...seen } = watch(page, address);
  await load();
  const close = async () => {
    stop();
    await end();
  };
  return { page, ...seen, [Symbol.asyncDispose]: close };
}

/** Notes what a page does, until `stop`. */
function watch(page: Page, address: string) {
  const faults: string[] = [];
  const strangers: string[] = [];
  const onFault = (error: Error) => void faults.push(error.message);
  const onMessage = (message: ConsoleMessage) => void (message.type() === "error" && faults.push(message.text()));
  const onRequest = (request: Request) => {
    const url = request.url();
    if (!url.startsWith(`${address}/`) && !/^(data|blob):/.test(url)) strangers.push(url);
  };
  page.on("pageerror", onFault).on("console", onMessage).on("request", onRequest);
  const stop = () => page.off("pageerror", onFault).off("console", onMessage).off("request", onRequest);
  return { faults, strangers, stop };
}
