import type { Browser } from "playwright-core";
import { startTestServer, type TestServer, type TestServerOptions } from "#testing";
import { borrowBrowser } from "./browser.ts";
import { type Look, type OpenPage, openPage, tabsOf } from "./tabs.ts";

export { launchBrowser, withoutBrowser } from "./browser.ts";
export { type Look, type OpenPage, openPage } from "./tabs.ts";

/** The shipped example's app. */
export const APP = "projects/local/locations/us/apps/order-desk";

/** A server with the example, and a browser. */
export interface Console extends AsyncDisposable {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Opens an address of the server ("/console") in a tab in which nothing is stored. */
  open(path: string, look?: Look): Promise<OpenPage>;
}

/** The ports of servers that stopped. The next server of this process has one of them, so that its console is opened in a tab that is loaded. */
const ports: number[] = [];

/** Starts a server with the shipped example (or as `options` say) and a browser for it, with more flags than usual if need be. */
export async function openConsole(options: TestServerOptions = {}, flags: readonly string[] = []): Promise<Console> {
  const { browser, release } = await borrowBrowser(flags);
  const server = await startAtPort(options, ports.pop() ?? 0).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const { auth, identities } = options.config ?? {};
  // Who somebody is belongs to the open page.
  const tabs = tabsOf(browser, server.address, auth !== undefined || identities !== undefined);
  return {
    server,
    browser,
    open: (path, look) => (look?.before ? openPage(browser, server.address, path, look) : tabs.open(path, look)),
    async [Symbol.asyncDispose]() {
      await tabs.close();
      await server[Symbol.asyncDispose]();
      ports.push(Number(new URL(server.address).port));
      await release();
    },
  };
}

/** Any port, where another process has taken this one meanwhile. */
function startAtPort(options: TestServerOptions, port: number): Promise<TestServer> {
  const start = (at: number) => startTestServer({ example: true, ...options, config: { port: at, ...options.config } });
  return start(port).catch((error: NodeJS.ErrnoException) => {
    if (port === 0 || error.code !== "EADDRINUSE") throw error;
    return start(0);
  });
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
