import assert from "node:assert/strict";

/** A call of v1beta over REST as any client would make it. Fails its test, with the answer, unless the status is 200. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
export type Rest = (method: string, path: string, body?: object) => Promise<any>;

/** Calls of the server that there is when they are made. */
export function restOf(server: () => { readonly address: string }): Rest {
  return async (method, path, body) => {
    const response = await fetch(`${server().address}/v1beta/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
}
