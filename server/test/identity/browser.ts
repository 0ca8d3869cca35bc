/** What a browser does with redirects, cookies and forms, by hand: no page runs scripts. */
export interface Browser {
  /** Follows redirects to the end. */
  open(url: string, init?: RequestInit): Promise<Response>;
  /** One request, redirects not followed. */
  send(url: string, init?: RequestInit): Promise<Response>;
  /** Sends the first form of a page with these fields. */
  submit(page: Response, fields: Readonly<Record<string, string>>): Promise<Response>;
  /** A cookie of an origin, with what it was set with. */
  cookie(origin: string, name: string): string | undefined;
}

export function createBrowser(): Browser {
  /** `Set-Cookie` texts by origin and name. */
  const jar = new Map<string, Map<string, string>>();

  const cookiesFor = (url: URL): string =>
    [...(jar.get(url.origin)?.values() ?? [])]
      .filter((text) => url.pathname.startsWith(/path=([^;]*)/i.exec(text)?.[1] ?? "/"))
      .map((text) => text.split(";", 1)[0])
      .join("; ");

  const send: Browser["send"] = async (address, init = {}) => {
    const url = new URL(address);
    const headers = new Headers(init.headers);
    const cookies = cookiesFor(url);
    if (cookies !== "") headers.set("cookie", cookies);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    const own = jar.get(url.origin) ?? new Map<string, string>();
    jar.set(url.origin, own);
    for (const text of response.headers.getSetCookie()) {
      const name = text.slice(0, text.indexOf("="));
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(text)) own.delete(name);
      else own.set(name, text);
    }
    return response;
  };

  const open: Browser["open"] = async (address, init) => {
    let url = address;
    let response = await send(url, init);
    for (let hops = 0; hops < 10; hops++) {
      const location = response.headers.get("location");
      if (location === null) return response;
      url = new URL(location, url).href;
      response = await send(url);
    }
    throw new Error(`${address} redirects for ever`);
  };

  return {
    open,
    send,
    submit: async (page, fields) => {
      const html = await page.text();
      const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1];
      if (action === undefined) throw new Error(`there is no form in ${html}`);
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = "", value = ""]): [string, string] => [name, value],
      );
      const body = new URLSearchParams([...hidden, ...Object.entries(fields)]);
      return open(new URL(action, page.url).href, { method: "POST", body });
    },
    cookie: (origin, name) => jar.get(origin)?.get(name),
  };
}
