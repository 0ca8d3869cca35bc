import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { HELLO, modelsWith, partsOf } from "../__fixtures__/call-model.ts";
import { type FakeReply, fakeProvider } from "../__fixtures__/fake-provider.ts";
import type { ProviderConfig } from "../models-config.ts";

const KEY = "sk-very-secret";

const provider = (url: string): ProviderConfig => ({
  kind: "openai",
  name: "local",
  keySource: "LOCAL_KEY",
  headers: {},
  baseUrl: `${url}/v1`,
  apiKey: KEY,
});

const event = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
const GOOD: FakeReply = { pieces: [event({ content: "Hi" }), event({}, "stop"), "data: [DONE]\n\n"] };
const GOOD_PARTS = [
  { kind: "text-delta", text: "Hi" },
  { kind: "finish", reason: "stop", rawReason: "stop", usage: {} },
];
const reject = (status: number, message: string, headers: Record<string, string> = {}): FakeReply => ({
  status,
  headers,
  pieces: [JSON.stringify({ error: { message } })],
});

describe("A model call that fails", () => {
  it("is tried again after 408, 429, 500, 502, 503, 504 and 529", async () => {
    for (const status of [408, 429, 500, 502, 503, 504, 529]) {
      await using fake = await fakeProvider(reject(status, "later"), GOOD);
      await using models = modelsWith(provider(fake.url));
      assert.deepEqual(await partsOf(models.resolve("m")), GOOD_PARTS, `${status}`);
    }
  });

  it("is tried again when the connection breaks before the first part", async () => {
    await using fake = await fakeProvider(
      { afterwards: "break" },
      { pieces: [": hello\n\n"], afterwards: "break" },
      GOOD,
    );
    await using models = modelsWith(provider(fake.url));
    assert.deepEqual(await partsOf(models.resolve("m")), GOOD_PARTS);
    assert.equal(fake.requests.length, 3);
  });

  it("waits as long as Retry-After asks instead of its own delay", async () => {
    await using fake = await fakeProvider(reject(429, "slow down", { "retry-after": "0" }), GOOD);
    const retries = { attempts: 2, baseDelayMs: 3_600_000, maxDelayMs: 3_600_000 };
    await using models = modelsWith(provider(fake.url), { retries });
    assert.deepEqual(await partsOf(models.resolve("m")), GOOD_PARTS);
  });

  it("is not tried again when Retry-After exceeds the longest delay", async () => {
    await using fake = await fakeProvider(reject(429, "slow down", { "retry-after": "60" }), GOOD);
    await using models = modelsWith(provider(fake.url));
    await assert.rejects(partsOf(models.resolve("m")), {
      code: 8,
      rawMessage: "Model 'local/m' answered with HTTP status 429: slow down",
    });
    assert.equal(fake.requests.length, 1);
  });

  it("answers UNAVAILABLE when the tries are used up", async () => {
    await using fake = await fakeProvider(...Array<FakeReply>(3).fill(reject(500, "boom")));
    await using models = modelsWith(provider(fake.url));
    await assert.rejects(partsOf(models.resolve("m")), {
      code: 14,
      rawMessage: "Model 'local/m' answered with HTTP status 500 (tried 3 times): boom",
    });
    assert.equal(fake.requests.length, 3);
  });

  it("says what to look at where nothing is known by that name", async () => {
    await using fake = await fakeProvider(reject(404, "404 page not found"));
    await using models = modelsWith(provider(fake.url));
    await assert.rejects(partsOf(models.resolve("m")), {
      rawMessage:
        "Model 'local/m' answered with HTTP status 404: 404 page not found. Check the model's name, and the base URL of its provider.",
    });
  });

  it("answers the code that fits when another try is of no use", async () => {
    const codes = { 400: 3, 401: 16, 402: 9, 403: 7, 404: 9, 413: 3, 422: 3 };
    for (const [status, code] of Object.entries(codes)) {
      await using fake = await fakeProvider(reject(Number(status), "no"), GOOD);
      await using models = modelsWith(provider(fake.url));
      await assert.rejects(partsOf(models.resolve("m")), { code }, status);
      assert.equal(fake.requests.length, 1);
    }
  });

  it("returns UNAVAILABLE when the connection is refused", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await using models = modelsWith(provider(`http://127.0.0.1:${port}`));
    await assert.rejects(partsOf(models.resolve("m")), {
      code: 14,
      rawMessage: `Model 'local/m' could not be reached (tried 3 times): connect ECONNREFUSED 127.0.0.1:${port}`,
    });
  });

  it("is not tried again when the answer is too slow", async () => {
    // Each alone is the limit of a pause (TURN-94).
    const limits = [
      { connectMs: 1000, answerMs: 20 },
      { connectMs: 1000, answerMs: 60_000, pauseMs: 20 },
    ];
    for (const timeouts of limits) {
      await using fake = await fakeProvider({ pieces: [": waiting\n\n"], afterwards: "hang" }, GOOD);
      await using models = modelsWith(provider(fake.url), { timeouts });
      await assert.rejects(partsOf(models.resolve("m")), {
        code: 14,
        rawMessage:
          "Model 'local/m' broke its answer off: it sent nothing more for as long as models.timeouts.pauseMs allows (default: answerMs)",
      });
    }
  });

  it("is final once a part was received", async () => {
    const received = Promise.withResolvers<void>();
    await using fake = await fakeProvider(
      { pieces: [event({ content: "Half" }), received.promise], afterwards: "break" },
      GOOD,
    );
    await using models = modelsWith(provider(fake.url));
    const texts: unknown[] = [];
    await assert.rejects(
      async () => {
        for await (const part of models.resolve("m").stream(HELLO, { signal: new AbortController().signal })) {
          texts.push(part);
          received.resolve();
        }
      },
      { code: 14 },
    );
    assert.deepEqual(texts, [{ kind: "text-delta", text: "Half" }]);
    assert.equal(fake.requests.length, 1);
  });

  it("is tried again when the error arrives together with the first text, which was not passed on yet", async () => {
    const overloaded = `data: ${JSON.stringify({ error: { message: "overloaded", code: 503 } })}\n\n`;
    await using fake = await fakeProvider({ pieces: [event({ content: "Half" }) + overloaded] }, GOOD);
    await using models = modelsWith(provider(fake.url));
    assert.deepEqual(await partsOf(models.resolve("m")), GOOD_PARTS);
    assert.equal(fake.requests.length, 2);
  });

  it("never shows the key, neither in the error nor in the log", async () => {
    const leaking = reject(500, `the key ${KEY} is overloaded`);
    await using fake = await fakeProvider(leaking, leaking, leaking);
    await using models = modelsWith(provider(fake.url));
    await assert.rejects(partsOf(models.resolve("m")), (error: Error) => {
      assert.match(error.message, /the key \[redacted\] is overloaded/);
      assert.equal(inspect(error, { depth: 20 }).includes(KEY), false);
      return true;
    });
    assert.match(models.log(), /the key \[redacted\] is overloaded/);
    assert.equal(models.log().includes(KEY), false);
  });
});

it("the keys of a gateway, which are headers that the operator adds, stand in no error and no log", async () => {
  const keys = {
    "x-gateway-key": "gateway-very-secret",
    "proxy-authorization": "Basic very-secret-too",
    "x-version": "1",
  };
  const leaking = reject(500, "got gateway-very-secret and very-secret-too, in version 1");
  await using fake = await fakeProvider(leaking, leaking, leaking);
  await using models = modelsWith({ ...provider(fake.url), headers: keys } as ProviderConfig);
  const shown = /got \[redacted\] and \[redacted\], in version 1/;
  await assert.rejects(partsOf(models.resolve("m")), shown);
  assert.match(models.log(), shown);
  assert.doesNotMatch(models.log(), /very-secret/);
});

describe("A model answer of a server that streams nothing", () => {
  it("is read as the whole document that it is", async () => {
    const document = JSON.stringify({ choices: [{ message: { content: "Whole." }, finish_reason: "stop" }] }, null, 2);
    await using fake = await fakeProvider({ pieces: [document.slice(0, 9), document.slice(9)] });
    await using models = modelsWith(provider(fake.url));
    assert.deepEqual(await partsOf(models.resolve("m")), [
      { kind: "text-delta", text: "Whole." },
      { kind: "finish", reason: "stop", rawReason: "stop", usage: {} },
    ]);
  });
});

describe("A model answer that makes no sense", () => {
  it("ends as malformed when it was so each time", async () => {
    const page = { pieces: ["<html>login</html>"] };
    const nothing = { pieces: [] };
    await using fake = await fakeProvider(page, page, page, nothing, nothing, nothing);
    await using models = modelsWith(provider(fake.url));
    const malformed = (rawReason: string) => ({ kind: "finish", reason: "malformed", rawReason, usage: {} });
    assert.deepEqual(await partsOf(models.resolve("m"), HELLO, { streaming: false }), [
      malformed("not a JSON object: <html>login</html>"),
    ]);
    assert.deepEqual(await partsOf(models.resolve("m"), HELLO, { streaming: false }), [malformed("empty answer")]);
  });

  it("ends as malformed where a page came in place of events", async () => {
    const page = { pieces: ["\n", "<html>", `login ${KEY}</html>\n`] };
    await using fake = await fakeProvider(page, page, page);
    await using models = modelsWith(provider(fake.url));
    const rawReason = "not a JSON object: \n<html>login [redacted]</html>\n";
    assert.deepEqual(await partsOf(models.resolve("m")), [
      { kind: "finish", reason: "malformed", rawReason, usage: {} },
    ]);
  });

  it("ends as other without a finish reason, when the server says that it is whole", async () => {
    await using fake = await fakeProvider({ pieces: [event({ content: "Hi" }), "data: [DONE]\n\n"] });
    await using models = modelsWith(provider(fake.url));
    const other = { kind: "finish", reason: "other", rawReason: "", usage: {} };
    assert.deepEqual(await partsOf(models.resolve("m")), [{ kind: "text-delta", text: "Hi" }, other]);
  });
});

describe("A model answer of which a part is missing (TURN-77)", () => {
  const call = event({ tool_calls: [{ index: 0, id: "c1", function: { name: "cancel_all", arguments: "" } }] });

  it("is tried again while nothing of it was passed on", async () => {
    for (const cut of [call, "data: {broken\n\n", ""]) {
      await using fake = await fakeProvider({ pieces: [cut] }, GOOD);
      await using models = modelsWith(provider(fake.url));
      assert.deepEqual(await partsOf(models.resolve("m")), GOOD_PARTS, cut);
    }
  });

  it("fails once a part was passed on, and says what is missing", async () => {
    const heard = Promise.withResolvers<void>();
    for (const [cut, says] of [
      ["", "the stream ended before the provider said that the answer has"],
      ["data: {broken\n\n", "a part of it is no JSON object: {broken"],
    ] as const) {
      await using fake = await fakeProvider({ pieces: [event({ content: "Hal" }), heard.promise, cut] });
      await using models = modelsWith(provider(fake.url));
      const reading = async () => {
        const { signal } = new AbortController();
        for await (const _ of models.resolve("m").stream(HELLO, { signal })) heard.resolve();
      };
      await assert.rejects(reading, { code: 14, rawMessage: `Model 'local/m' broke its answer off: ${says}` });
    }
  });
});

describe("Ending a model call", () => {
  it("closes the socket when the signal aborts, and throws the signal's reason", async () => {
    await using fake = await fakeProvider({ pieces: [event({ content: "Hi" })], afterwards: "hang" });
    await using models = modelsWith(provider(fake.url));
    const controller = new AbortController();
    const reason = new Error("the user spoke");
    const calling = async () => {
      for await (const _ of models.resolve("m").stream(HELLO, { signal: controller.signal })) controller.abort(reason);
    };
    await assert.rejects(calling, reason);
    await fake.disconnected;
  });

  it("closes the socket when the reader stops early", async () => {
    await using fake = await fakeProvider({ pieces: [event({ content: "Hi" })], afterwards: "hang" });
    await using models = modelsWith(provider(fake.url));
    for await (const _ of models.resolve("m").stream(HELLO, { signal: new AbortController().signal })) break;
    await fake.disconnected;
  });

  it("does not wait for the answer to begin, nor between two tries", async () => {
    await using fake = await fakeProvider({ afterwards: "hang" }, reject(503, "later"));
    const retries = { attempts: 2, baseDelayMs: 3_600_000, maxDelayMs: 3_600_000 };
    await using models = modelsWith(provider(fake.url), { retries });
    for (let call = 0; call < 2; call += 1) {
      await assert.rejects(partsOf(models.resolve("m"), HELLO, { signal: AbortSignal.timeout(30) }), {
        name: "TimeoutError",
      });
    }
  });

  it("does not call at all when the signal has aborted before", async () => {
    await using fake = await fakeProvider(GOOD);
    await using models = modelsWith(provider(fake.url));
    await assert.rejects(partsOf(models.resolve("m"), HELLO, { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.deepEqual(fake.requests, []);
  });
});

describe("A streamed answer", () => {
  it("has a part for what arrived together, and the next as soon as it arrives", async () => {
    const received = Promise.withResolvers<void>();
    const together = ["One ", "two ", "three "].map((content) => event({ content })).join("");
    await using fake = await fakeProvider({ pieces: [together, received.promise, event({ content: "four" }, "stop")] });
    await using models = modelsWith(provider(fake.url));
    const texts: string[] = [];
    for await (const part of models.resolve("m").stream(HELLO, { signal: new AbortController().signal })) {
      if (part.kind === "text-delta") texts.push(part.text);
      received.resolve();
    }
    assert.deepEqual(texts, ["One two three ", "four"]);
  });
});

describe("A long answer", () => {
  it("comes whole when it is read slowly", async () => {
    const text = "x".repeat(100_000);
    const pieces = [...Array<string>(40).fill(event({ content: text })), event({}, "stop")];
    await using fake = await fakeProvider({ pieces });
    await using models = modelsWith(provider(fake.url));
    let length = 0;
    for await (const part of models.resolve("m").stream(HELLO, { signal: new AbortController().signal })) {
      if (part.kind === "text-delta") length += part.text.length;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.equal(length, 4_000_000);
  });

  const MIB = "x".repeat(1 << 20);
  const argumentsOf = (text: string) => event({ tool_calls: [{ index: 0, function: { name: "f", arguments: text } }] });
  const ENDLESS: Readonly<Record<string, string>> = { "one line": MIB, "arguments of a call": argumentsOf(MIB) };
  for (const [what, piece] of Object.entries(ENDLESS)) {
    it(`is left at 64 MiB when it is ${what} without end`, async () => {
      await using fake = await fakeProvider({ pieces: Array<string>(65).fill(piece), afterwards: "hang" });
      await using models = modelsWith(provider(fake.url));
      await assert.rejects(partsOf(models.resolve("m")), /the answer is longer than 67108864 bytes/);
      await fake.disconnected;
    });
  }
});
