import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

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

/** How often an operation is looked at, milliseconds: looking all the time takes the processor from what is waited for. */
const LOOK_MS = 20;

/** The operation when it is done. */
export async function finished(
  rest: Rest,
  operation: { readonly name: string; readonly done?: boolean },
): Promise<Awaited<ReturnType<Rest>>> {
  let last = operation;
  for (; !last.done; last = await rest("GET", last.name)) await delay(LOOK_MS);
  return last;
}
