import type { TestServer } from "#testing";

/** One call of the REST API beside the page, as another client would make it; throws on an error. */
export async function api<Answer = Record<string, unknown>>(
  server: TestServer,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(`${server.address}/v1beta/${path}`, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}
