import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { createLogger } from "#base";
import { createSandbox, type RunOptions } from "#sandbox";
import { TEST_CACHE } from "#testing/engine";
import { createTools, type ToolContext } from "#tools";

const logger = createLogger("silent");
const sandbox = createSandbox({ dataDir: TEST_CACHE, cacheDir: TEST_CACHE, logger, maxGuests: 2 });
after(() => sandbox.close());

const APP = "projects/p/locations/l/apps/evil";
const OTHER_APP = "projects/p/locations/l/apps/good";

/** Runs the first of an app's tools, and counts the runs that it leads to. */
async function execute(sources: Readonly<Record<string, string>>, seconds = 20) {
  let runs = 0;
  let going = 0;
  const counting = {
    ...sandbox,
    run: async (...call: Parameters<typeof sandbox.run>) => {
      runs += 1;
      going += 1;
      try {
        return await sandbox.run(...call);
      } finally {
        going -= 1;
      }
    },
  };
  const egress = { fetch: () => Promise.reject(new Error("no network")) };
  const tools = createTools({ sandbox: counting, egress, logger });
  const appTools = new Map(Object.entries(sources).map(([name, code]) => [name, pythonTool(name, code, seconds)]));
  const [first] = appTools.values();
  if (!first) throw new Error("an app needs a tool");
  const outcome = await tools.execute(first, { id: "1", name: first.displayName, args: {} }, contextOf(appTools));
  return { response: outcome.response, runs, going: () => going };
}

function pythonTool(name: string, pythonCode: string, seconds: number): Tool {
  return create(ToolSchema, {
    name: `${APP}/tools/${name}`,
    displayName: name,
    timeout: { seconds: BigInt(seconds) },
    toolType: { case: "pythonFunction", value: { name: "f", pythonCode } },
  });
}

function contextOf(appTools: ReadonlyMap<string, Tool>): ToolContext {
  const python = { invocationId: "i", agentName: "a", sessionId: "s", state: {}, userContent: null, events: [] };
  const signal = new AbortController().signal;
  return { app: APP, turn: `turn ${Math.random()}`, python, appTools, useFakes: false, depth: 0, signal };
}

/** The other tenant is served meanwhile. */
async function serveOther(): Promise<unknown> {
  const context = { invocationId: "i", agentName: "a", sessionId: "s", state: {}, userContent: null, events: [] };
  const call = { code: "def f():\n    return 7\n", filename: "f.py", entry: "f", toolNames: [], context };
  const onHostCall: RunOptions["onHostCall"] = async () => ({ status: 200, reason: "", text: "" });
  const limits = { cpuMs: 5_000, wallMs: 20_000 };
  const outcome = await sandbox.run(call, { tenant: OTHER_APP, turn: `t ${Math.random()}`, limits, onHostCall });
  return outcome.kind === "returned" ? outcome.value : outcome;
}

describe("tools that call tools", () => {
  it("for ever are stopped at the fourth", async () => {
    const { response, runs } = await execute({ f: "def f():\n    r = tools.f({})\n    return r.reason or r.json()\n" });
    assert.match(JSON.stringify(response), /nested tool calls are limited to 4 levels/);
    assert.equal(runs, 5);
  });

  it("for ever by two names are stopped too", async () => {
    const { runs } = await execute({
      f: "def f():\n    return tools.g({}).text\n",
      g: "def f():\n    return tools.f({}).text\n",
    });
    assert.equal(runs, 5);
  });

  it("a hundredfold without waiting end with the turn, and others are served meanwhile", async () => {
    await serveOther(); // a guest is ready: what follows is not about its start
    const bomb = execute({ f: "def f():\n    for _ in range(100):\n        async_tools.f({})\n    return 1\n" }, 5);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(await Promise.all([serveOther(), serveOther(), serveOther()]), [7, 7, 7]);
    const { response, going } = await bomb;
    // On a slow machine the caller itself may be out of time before it has started its hundred.
    assert.match(JSON.stringify(response), /^\{"result":1\}$|timed out/);
    assert.equal(await serveOther(), 7);
    await settled(going);
    assert.equal(going(), 0, "nothing goes on after the turn");
    assert.ok(sandbox.status().guests <= 10, `${sandbox.status().guests} guests`);
  });

  it("and hang are ended with their caller", async () => {
    const started = performance.now();
    const { going } = await execute(
      {
        f: "def f():\n    async_tools.g({})\n    async_tools.g({})\n    return tools.g({}).status_code\n",
        g: "def f():\n    while True: pass\n",
      },
      1,
    );
    await settled(going);
    assert.equal(going(), 0);
    assert.ok(performance.now() - started < 15_000);
    assert.equal(await serveOther(), 7);
  });
});

describe("a tool that asks for more time than there is", () => {
  it("is served as any other", async () => {
    const { response } = await execute({ f: "def f():\n    return 1\n" }, 315_576_000_000);
    assert.deepEqual(response, { result: 1 });
  });
});

describe("a tool can call only the tools of its own app", () => {
  it("whatever name it asks for", async () => {
    const code = `
from sealed_guest import channel
def f():
    got = []
    for name in ("${OTHER_APP}/tools/secret", "${APP}/tools/f", "secret", "../good/tools/secret", "__proto__", "constructor", "F", "f ", ""):
        try:
            got.append(channel.call("tool", {"name": name, "args": {}})["status"])
        except RuntimeError as error:
            got.append(str(error))
    try:
        tools.secret({})
    except AttributeError as error:
        got.append("AttributeError")
    return got
`;
    const { response, runs } = await execute({ f: code });
    assert.deepEqual(response, { result: [...new Array(9).fill("the question is malformed"), "AttributeError"] });
    assert.equal(runs, 1);
  });

  it("with arguments of any size and shape", async () => {
    const code = `
def f():
    deep = {}
    for _ in range(30):
        deep = {"d": deep}
    answers = [tools.g({"v": deep}), tools.g({"v": {"__proto__": {"polluted": 1}, "then": 1}}), tools.g({"v": "x" * 900_000}), tools.g({"__class__": 1, "self": 2})]
    return [answer.status_code for answer in answers]
`;
    const echo = "def f(v: dict) -> dict:\n    return {'size': len(str(v))}\n";
    const { response } = await execute({ f: code, g: echo });
    assert.deepEqual(response, { result: [200, 200, 200, 500] });
    assert.equal("polluted" in {}, false);
  });
});

/** What was told to end has a moment to do so. */
async function settled(going: () => number): Promise<void> {
  for (let waits = 0; going() > 0 && waits < 300; waits++) await new Promise((resolve) => setTimeout(resolve, 50));
}
