import assert from "node:assert/strict";
import type { TestServer } from "#testing";

/** A REST answer, read by the test that asked for it. */
type Answer = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly validationErrors?: readonly string[];
};

/** Sends a request to the server under test and reads its JSON; any status but 200 is the test's failure. */
export async function callServer(
  { address }: TestServer,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${address}/v1beta/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

/** Sends what begins an operation, waits for its end and reads its response. */
export async function operateServer(
  server: TestServer,
  path: string,
  body: object,
): Promise<Answer & { readonly warnings?: readonly string[] }> {
  let operation = await callServer(server, "POST", path, body);
  while (operation.done === undefined) operation = await callServer(server, "GET", operation.name);
  assert.ok(operation.response, JSON.stringify(operation.error));
  return operation.response as Answer;
}
