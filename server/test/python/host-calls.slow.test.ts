import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { HostCall, HostReply } from "#sandbox";
import { createTestSandbox, reply } from "./test-sandbox.ts";

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

/** Runs code whose host calls are all answered by `answer`; gives the value and the calls. */
async function runWith(
  code: string,
  answer: (call: HostCall) => HostReply | Promise<HostReply>,
  toolNames = ["lookup"],
) {
  const calls: HostCall[] = [];
  const onHostCall = async (call: HostCall) => {
    calls.push(call);
    return answer(call);
  };
  const value = await sandbox.value(code, { toolNames, onHostCall });
  return { value, calls };
}

describe("tools", () => {
  it("take one dict or keywords and answer an ExternalResponse", async () => {
    const code = `
def f():
    one = tools.lookup({"id": 1})
    two = tools.lookup(id=2, deep={"a": [HttpMethod.GET]})
    return [type(one).__name__, one.ok, one.status_code, one.reason, one.text, one.json(), two.json()]
`;
    const { value, calls } = await runWith(code, (call) => reply("args" in call ? call.args : null));
    const two = { id: 2, deep: { a: ["GET"] } };
    assert.deepEqual(value, ["ExternalResponse", true, 200, "", '{"id":1}', { id: 1 }, two]);
    assert.deepEqual(calls, [
      { op: "tool", name: "lookup", args: { id: 1 } },
      { op: "tool", name: "lookup", args: two },
    ]);
  });

  it("answer like the dict they carry, with or without the result wrapper", async () => {
    const code = `
def f():
    r = tools.lookup({})
    return [r["a"], r.get("b", 5), "a" in r, "b" in r, dict(tools.lookup(plain=True)), bool(r)]
`;
    const { value } = await runWith(code, (call) =>
      "args" in call && call.args.plain ? reply({ x: 1 }) : reply({ result: { a: 1 } }),
    );
    assert.deepEqual(value, [1, 5, true, false, { x: 1 }, true]);
  });

  it("that fail answer a status, which raise_for_status raises", async () => {
    const code = `
def f():
    r = tools.lookup({})
    try:
        r.raise_for_status()
    except StatusError as error:
        return [r.ok, error.status_code, error.reason]
`;
    assert.deepEqual((await runWith(code, () => reply(null, 404, "Not found"))).value, [false, 404, "Not found"]);
    const { value } = await runWith(code, () => {
      throw new Error("the tool broke");
    });
    assert.deepEqual(value, [false, 500, "the tool broke"]);
  });

  it("that do not exist raise an AttributeError with the names that do", async () => {
    const code = `
def f():
    try:
        tools.look({})
    except AttributeError as error:
        return [str(error), hasattr(tools, "lookup"), dir(tools)]
`;
    const { value, calls } = await runWith(code, () => reply(null), ["product-detail", "lookup"]);
    const message = "there is no tool named 'look'; the tools of this app are: lookup, product-detail";
    assert.deepEqual(value, [message, true, ["lookup", "product_detail"]]);
    assert.deepEqual(calls, []);
  });

  it("are found under any display name", async () => {
    const code = `def f():\n    return [tools.product_detail({}).json(), tools["product-detail"]({}).json()]\n`;
    const { value } = await runWith(code, (call) => reply("name" in call && call.name), ["product-detail"]);
    assert.deepEqual(value, ["product-detail", "product-detail"]);
  });
});

describe("async_tools", () => {
  it("run at the same time, and each answer is collected by calling the future", async () => {
    const code = `
def f():
    futures = [async_tools.lookup({"n": n}) for n in range(3)]
    return [future().json() for future in futures] + [futures[0]().json()]
`;
    const waiting: (() => void)[] = [];
    const { value } = await runWith(code, async (call) => {
      // Nobody is answered before all three have asked.
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const go of waiting) go();
      });
      return reply("args" in call && call.args.n);
    });
    assert.deepEqual(value, [0, 1, 2, 0]);
  });
});

describe("ces_requests", () => {
  it("sends method, params, headers and body to the host", async () => {
    const code = `
def f():
    ces_requests.get("https://a.example/x?q=1", params={"p": ["a b", "c"], "none": None}, headers={"X-A": 1}, timeout=3)
    ces_requests.post("https://a.example/", json={"a": 1})
    ces_requests.put("https://a.example/", data={"a": "b c"})
    ces_requests.patch("https://a.example/", data=b"\\x00\\xff", allow_redirects=False)
    ces_requests.delete("https://a.example/", auth=("me", "secret"))
    ces_requests.request("head", "https://a.example/")
    return ces_requests.options("https://a.example/", data="text").headers["x-b"]
`;
    const { value, calls } = await runWith(code, () => ({ ...reply({}), headers: { "x-b": "yes" } }));
    assert.equal(value, "yes");
    const http = { op: "http", url: "https://a.example/", headers: {} };
    assert.deepEqual(calls, [
      { ...http, method: "GET", url: "https://a.example/x?q=1&p=a+b&p=c", headers: { "X-A": "1" }, timeout: 3 },
      { ...http, method: "POST", headers: { "Content-Type": "application/json" }, body: '{"a": 1}' },
      { ...http, method: "PUT", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "a=b+c" },
      { ...http, method: "PATCH", body: "AP8=", bodyEncoding: "base64", allowRedirects: false },
      { ...http, method: "DELETE", headers: { Authorization: "Basic bWU6c2VjcmV0" } },
      { ...http, method: "HEAD" },
      { ...http, method: "OPTIONS", body: "text" },
    ]);
  });

  it("serves urllib.request as well", async () => {
    const code = `
import json, urllib.error, urllib.request
def f():
    request = urllib.request.Request("https://a.example/x", data=b"{}", headers={"X-A": "1"})
    with urllib.request.urlopen(request, timeout=4) as response:
        found = [response.status, json.load(response), response.headers["X-B"]]
    try:
        urllib.request.urlopen("https://a.example/missing")
    except urllib.error.HTTPError as error:
        return found + [error.code]
`;
    const { value, calls } = await runWith(code, (call) =>
      "url" in call && call.url.endsWith("missing")
        ? reply({}, 404, "Not found")
        : { ...reply([1]), headers: { "X-B": "b" } },
    );
    assert.deepEqual(value, [200, [1], "b", 404]);
    assert.partialDeepStrictEqual(calls[0], {
      op: "http",
      method: "POST",
      body: "e30=",
      bodyEncoding: "base64",
      timeout: 4,
    });
  });
});

describe("requests that go on (PY-56)", () => {
  it("run side by side, and answer when what they returned is called or awaited", async () => {
    const code = `
import asyncio
def f():
    first = ces_requests.async_get("https://a.example/slow", params={"n": 1})
    second = requests.async_post("https://a.example/quick", json={"n": 2})
    others = [ces_requests.async_put, ces_requests.async_patch, ces_requests.async_delete, ces_requests.async_head, ces_requests.async_options]
    answers = [start("https://a.example/quick") for start in others] + [ces_requests.async_request("GET", "https://a.example/quick")]
    async def wait():
        return await second
    return [asyncio.run(wait()).json(), first().json(), first.result().status_code, [answer().status_code for answer in answers]]
`;
    const quick = Promise.withResolvers<void>();
    const { value, calls } = await runWith(code, async (call) => {
      if (!("url" in call)) return reply(null);
      if (call.url.includes("slow")) await quick.promise;
      else quick.resolve();
      return reply(call.method);
    });
    assert.deepEqual(value, ["POST", "GET", 200, [200, 200, 200, 200, 200, 200]]);
    assert.deepEqual(
      calls.map((call) => "method" in call && [call.method, call.url, call.body]),
      [
        ["GET", "https://a.example/slow?n=1", undefined],
        ["POST", "https://a.example/quick", '{"n": 2}'],
        ...["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "GET"].map((method) => [
          method,
          "https://a.example/quick",
          undefined,
        ]),
      ],
    );
  });
});

describe("host calls", () => {
  it("are limited to a hundred a run; the next one raises", async () => {
    const code = `
def f():
    count = 0
    try:
        while True:
            tools.lookup({})
            count += 1
    except RuntimeError as error:
        return [count, str(error)]
`;
    const { value } = await runWith(code, () => reply(1));
    assert.deepEqual(value, [100, "a run may make 100 calls to the outside, and made them"]);
  });

  it("of a run within a run get a guest of their own, deeper than there are guests", async () => {
    await using small = createTestSandbox({ maxGuests: 1 });
    const code = `def f(depth: int):\n    return depth if depth == 0 else tools.f({"depth": depth - 1}).json() + 1\n`;
    const nested = (depth: number): Promise<unknown> =>
      small.value(code, {
        keyword: { depth },
        turn: "nested",
        toolNames: ["f"],
        onHostCall: async (call) => reply(await nested("args" in call ? Number(call.args.depth) : 0)),
      });
    assert.equal(await nested(4), 4);
  });

  it("see an aborted signal when their run is ended", async () => {
    const abort = new AbortController();
    const heard = new Promise<string>((resolve) => {
      const outcome = sandbox.run(`def f():\n    tools.lookup({})\n`, {
        toolNames: ["lookup"],
        signal: abort.signal,
        onHostCall: (_call, signal) =>
          new Promise(() => {
            signal.addEventListener("abort", () => void outcome.then(({ kind }) => resolve(kind)));
            abort.abort();
          }),
      });
    });
    assert.equal(await heard, "cancelled");
  });
});
