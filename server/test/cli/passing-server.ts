import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server before the one of the suite: it knows the methods that were called, and holds calls, or breaks them. */
export function createPassing(target: () => string) {
  let calls: string[] = [];
  let server: Server;
  let rule:
    | { readonly method: string; left: number; readonly breaks: boolean; times?: number; readonly done?: () => void }
    | undefined;
  let waiting: (() => void)[] = [];
  let arrived: { readonly count: number; readonly resolve: () => void } | undefined;
  const pass = (from: IncomingMessage, to: ServerResponse) => {
    const { url = "", method, headers } = from;
    const onward = request(new URL(url, target()), { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    from.pipe(onward);
  };
  const isStopped = (name: string) => rule?.method === name && rule.left-- <= 0;
  const take = (from: IncomingMessage, to: ServerResponse) => {
    const name = from.url?.split("/").at(-1) ?? "";
    calls.push(name);
    if (!isStopped(name)) return pass(from, to);
    if (rule?.breaks) {
      if (rule.times !== undefined && --rule.times === 0) {
        rule.done?.();
        rule = undefined;
      }
      return void from.socket.destroy();
    }
    waiting.push(() => pass(from, to));
    if (arrived && waiting.length >= arrived.count) arrived.resolve();
  };
  return {
    listen: () =>
      new Promise<void>((resolve) => {
        server = createServer(take).listen(0, "127.0.0.1", resolve);
      }),
    close: () => server.closeAllConnections() ?? server.close(),
    address: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The methods that were called since the last question and fit. */
    paths: (fitting: RegExp) => {
      const found = calls.filter((name) => fitting.test(name));
      calls = [];
      return found;
    },
    holdAfter: (method: string, left: number) => {
      rule = { method, left, breaks: false };
    },
    breakAfter: (method: string, left: number) => {
      rule = { method, left, breaks: true };
    },
    /** Breaks so many calls of a method, and resolves then. */
    breakNext: (method: string, times: number) =>
      new Promise<void>((done) => {
        rule = { method, left: 0, breaks: true, times, done };
      }),
    /** Resolves once so many calls are held. */
    held: (count = 1) =>
      new Promise<void>((resolve) => {
        arrived = { count, resolve };
        if (waiting.length >= count) resolve();
      }),
    release: () => {
      rule = undefined;
      for (const go of waiting) go();
      waiting = [];
    },
  };
}
