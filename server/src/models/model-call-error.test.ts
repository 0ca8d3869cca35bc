import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { retryAfterOf } from "#status";
import {
  createRedact,
  errorFromResponse,
  ModelCallError,
  toModelCallError,
  toModelStatusError,
} from "./model-call-error.ts";
import { retryDelay } from "./retry.ts";

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

describe("failureFromAnswer", () => {
  const read = (status: number, headers: Record<string, string>, body: unknown) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { message, retryable, retryAfterMs } = errorFromResponse(status, headers, text, NOW);
    return { message, retryable, retryAfterMs };
  };

  it("reads Retry-After in seconds, as a date and in milliseconds", () => {
    const body = { error: { message: "slow down" } };
    const expected = { message: "slow down", retryable: true };
    assert.deepEqual(read(429, { "retry-after": "7" }, body), { ...expected, retryAfterMs: 7000 });
    const date = "Fri, 20 Nov 2026 12:00:09 GMT";
    assert.deepEqual(read(503, { "retry-after": date }, body), { ...expected, retryAfterMs: 9000 });
    const past = "Fri, 20 Nov 2026 11:00:00 GMT";
    assert.deepEqual(read(503, { "retry-after": past }, body), { ...expected, retryAfterMs: 0 });
    const exact = { "retry-after-ms": "120", "retry-after": "1" };
    assert.deepEqual(read(429, exact, body), { ...expected, retryAfterMs: 120 });
  });

  it("reads Google's RetryInfo", () => {
    const details = [
      { "@type": "type.googleapis.com/google.rpc.QuotaFailure" },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" },
    ];
    const body = [{ error: { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED", details } }];
    assert.deepEqual(read(429, {}, body), { message: "Quota exceeded", retryable: true, retryAfterMs: 34_500 });
  });

  it("knows which statuses may pass, and believes x-should-retry more", () => {
    const retryable = [408, 429, 500, 502, 503, 504, 529].map((status) => read(status, {}, "").retryable);
    assert.deepEqual(retryable, Array(7).fill(true));
    const final = [400, 401, 402, 403, 404, 413, 422, 501].map((status) => read(status, {}, "").retryable);
    assert.deepEqual(final, Array(8).fill(false));
    assert.equal(read(429, { "x-should-retry": "false" }, "").retryable, false);
    assert.equal(read(409, { "x-should-retry": "true" }, "").retryable, true);
  });

  it("finds the provider's message in whatever came", () => {
    assert.equal(read(500, {}, { error: "boom" }).message, "boom");
    assert.equal(read(500, {}, { message: "plain" }).message, "plain");
    assert.equal(read(502, {}, "<html>Bad Gateway</html>").message, "<html>Bad Gateway</html>");
    assert.equal(read(502, {}, "").message, "HTTP status 502");
  });
});

describe("toCallFailure", () => {
  it("tries again after a connection that failed, not after an answer that was slow", () => {
    const failed = (code: string) => toModelCallError(Object.assign(new Error("x"), { code })).retryable;
    assert.deepEqual(["ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET"].map(failed), [true, true, true]);
    assert.deepEqual(["UND_ERR_HEADERS_TIMEOUT", "DEPTH_ZERO_SELF_SIGNED_CERT"].map(failed), [false, false]);
  });
});

describe("retryDelay", () => {
  const policy = { attempts: 4, baseDelayMs: 100, maxDelayMs: 300 };
  const busy = new ModelCallError("busy", { status: 503 });

  it("doubles up to the longest wait, half of it drawn at random", () => {
    const delays = (random: number) => [1, 2, 3, 4].map((tries) => retryDelay(busy, tries, policy, () => random));
    assert.deepEqual(delays(0), [50, 100, 150, undefined]);
    assert.deepEqual(delays(1), [100, 200, 300, undefined]);
  });

  it("waits as long as the provider asks, and gives up when that is too long", () => {
    const asking = (retryAfterMs: number) => new ModelCallError("busy", { status: 429, retryAfterMs });
    assert.equal(
      retryDelay(asking(0), 1, policy, () => 1),
      0,
    );
    assert.equal(
      retryDelay(asking(300), 1, policy, () => 1),
      300,
    );
    assert.equal(
      retryDelay(asking(301), 1, policy, () => 1),
      undefined,
    );
  });

  it("does not try again what cannot pass", () => {
    assert.equal(
      retryDelay(new ModelCallError("bad", { status: 400 }), 1, policy, () => 1),
      undefined,
    );
  });
});

describe("the error that a caller gets", () => {
  const seconds = (options: ConstructorParameters<typeof ModelCallError>[1]) =>
    retryAfterOf(toModelStatusError("p/m", new ModelCallError("no", options), 1, (text) => text));

  it("says when to come back: as the provider asks, else after a second", () => {
    assert.deepEqual(
      [seconds({ status: 429, retryAfterMs: 34_070 }), seconds({ status: 503, retryAfterMs: 7_000 })],
      [35, 7],
    );
    assert.deepEqual([seconds({ status: 429 }), seconds({ status: 500 }), seconds({ status: 0 })], [1, 1, 1]);
  });

  it("does not say so where waiting does not help", () => {
    assert.equal(seconds({ status: 429, retryable: false }), undefined);
    assert.equal(seconds({ status: 404 }), undefined);
  });
});

describe("The redaction of a provider's secrets", () => {
  it("takes out keys, and not the letters of one that a local server takes because it takes any", () => {
    const redact = createRedact(["sk-123456"], { authorization: "Bearer gateway-key" });
    assert.equal(redact("key sk-123456 of gateway-key"), "key [redacted] of [redacted]");
    assert.equal(createRedact(["k"])("Incorrect API key provided"), "Incorrect API key provided");
  });
});
