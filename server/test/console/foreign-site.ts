import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A web site of somebody else on an address of its own; its pages may load and call what their strict policy says. */
export interface ForeignSite extends AsyncDisposable {
  readonly origin: string;
  /** What its pages hold, the only other server that they may use, and their language (default `en`). */
  show(body: string, server: string, lang?: string): void;
}

/** Opens the site. */
export async function openForeignSite(): Promise<ForeignSite> {
  let page = { body: "", policy: "default-src 'none'", lang: "en" };
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": page.policy });
    response.end(
      `<!doctype html><html lang="${page.lang}"><title>A shop</title><link rel="icon" href="data:,"><main><h1>A shop</h1></main>${page.body}</html>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    show(body, server, lang = "en") {
      // Neither inline styles nor inline scripts nor anything else of that kind.
      const policy = `default-src 'none'; script-src ${server}; connect-src ${server}; img-src data:; require-trusted-types-for 'script'`;
      page = { body, policy, lang };
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => site.close(() => resolve())),
  };
}
