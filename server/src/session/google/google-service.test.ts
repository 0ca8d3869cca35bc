import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { createEgress } from "#base";
import { type ConnectError, retryAfterOf } from "#status";
import { type GoogleReply, startGoogleServer } from "#testing/google";
import { createGoogleService } from "./google-service.ts";

const egress = createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
const { signal } = new AbortController();

/** A service that gives these answers in turn; answers what came of one call, and how often it was asked. */
async function call(...answers: readonly GoogleReply[]) {
  const script = [...answers];
  await using server = await startGoogleServer(
    () => script.shift() ?? { status: 500, errorMessage: "not in the script" },
  );
  const service = createGoogleService({ label: "Test", egress, accessToken: async () => "secret-token" });
  const outcome = await service.post(`${server.address}/v1/x:do`, { a: 1 }, signal).catch((error: unknown) => error);
  return { outcome, asked: server.requests };
}

const isError = (code: number, rawMessage: string) => (error: unknown) => {
  const { code: was, rawMessage: said } = error as { code: number; rawMessage: string };
  assert.deepEqual([was, said], [code, rawMessage]);
};

describe("a call of a service of Google Cloud", () => {
  it("carries the token and the message, and answers the service's", async () => {
    const { outcome, asked } = await call({ done: true });
    assert.deepEqual(outcome, { done: true });
    assert.deepEqual(asked, [
      { method: "POST", path: "/v1/x:do", authorization: "Bearer secret-token", message: { a: 1 } },
    ]);
  });

  it("is made again when the service is busy, as soon as it asks for", async () => {
    const busy = { status: 503, errorMessage: "busy", retryAfter: "0" };
    assert.deepEqual((await call(busy, busy, { done: true })).outcome, { done: true });
    const { outcome, asked } = await call(busy, busy, busy, { done: true });
    isError(14, "Test answered with HTTP status 503: busy")(outcome);
    assert.equal(asked.length, 3);
  });

  it("is not made again when that would be too late, or when it may have been done", async () => {
    const { outcome, asked } = await call({ status: 429, errorMessage: "later", retryAfter: "60" }, { done: true });
    isError(8, "Test answered with HTTP status 429: later")(outcome);
    assert.equal(retryAfterOf(outcome as ConnectError), 60);
    assert.equal(asked.length, 1);
    assert.equal((await call({ status: 500, errorMessage: "boom" }, { done: true })).asked.length, 1);
  });

  it("is rejected with the matching code and the service's message", async () => {
    const codes = { 400: 9, 401: 16, 403: 7, 404: 9, 500: 14 };
    for (const [status, code] of Object.entries(codes)) {
      const { outcome } = await call({ status: Number(status), errorMessage: "no" });
      isError(code, `Test answered with HTTP status ${status}: no`)(outcome);
    }
  });

  it("names the fault when there is no response, or one of another kind", async (t) => {
    const service = createGoogleService({ label: "Test", egress, accessToken: async () => "secret-token" });
    const page = createServer((_request, response) => response.end("<html>")).listen(0, "127.0.0.1");
    t.after(() => page.close().closeAllConnections());
    await new Promise((resolve) => page.once("listening", resolve));
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    await assert.rejects(service.get(`${address}/v1/x`, signal), { code: 14, message: /no JSON object/ });
    page.closeAllConnections();
    await new Promise((resolve) => page.close(resolve));
    await assert.rejects(service.get(`${address}/v1/x`, signal), { code: 14, message: /Test could not be reached/ });
    await assert.rejects(service.get("http://10.0.0.1/", signal), { code: 14, message: /private address/ });
  });
});
