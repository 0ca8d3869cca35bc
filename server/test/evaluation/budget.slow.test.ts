import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { openCommandLine } from "../command-line.ts";
import { type EvalFolder, EXAMPLE, evalFolder } from "./eval-command.ts";

const USAGE = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 };
const CASES = ["one", "two", "three", "four", "five"];

describe("the budget of a run (EVAL-63)", () => {
  const commandLine = openCommandLine();
  const provider = new LLMock({ port: 0, strict: true });
  let folder: EvalFolder;
  before(async () => {
    provider.onMessage("hello", { content: "Good morning!", usage: USAGE });
    const models = {
      default: "paid/gpt-4.1",
      providers: { paid: { type: "openai", apiKey: "k", baseUrl: `${await provider.start()}/v1` } },
    };
    const quotas = { prices: { "paid/*": { input: 1_000, output: 1_000 } } };
    folder = evalFolder(commandLine.run);
    const one = { evaluation: { concurrency: 1 } };
    folder.write("paid.json", JSON.stringify({ models, quotas, ...one }));
    folder.write("unpriced.json", JSON.stringify({ models, ...one }));
    const conversations = CASES.map((conversation) => ({
      conversation,
      turns: [{ user: "hello", agent: "Good morning!" }],
    }));
    folder.write("goldens.yaml", JSON.stringify({ conversations }));
  });
  after(async () => {
    folder[Symbol.dispose]();
    await provider.stop();
    await commandLine[Symbol.asyncDispose]();
  });

  const run = (...args: string[]) => folder.run(EXAMPLE, "goldens.yaml", "--config", "paid.json", ...args);

  const LIMITS = [
    ["calls=2", 2, "2 model calls"],
    ["tokens=300", 3, "300 tokens"],
    ["dollars=0.1", 1, "0.1 US dollars"],
  ] as const;
  for (const [budget, calls, limit] of LIMITS) {
    it(`calls no model after ${limit}, and has not measured the rest`, async () => {
      provider.clearRequests();
      const { code, out, err } = await run("--budget", budget);
      assert.equal(provider.getRequests().length, calls, out + err);
      assert.equal(out.split(`The budget of ${limit} is used up.`).length - 1, CASES.length - calls, out);
      assert.match(
        out,
        new RegExp(
          `${calls} passed, 0 failed, ${CASES.length - calls} not measured .*, ${calls} model calls?, ${calls}00 tokens`,
        ),
      );
      assert.equal(code, 1);
    });
  }

  it("runs everything within its limits and says what it took", async () => {
    const { code, out } = await run("--budget", "calls=50, minutes=10");
    assert.match(out, /5 passed, 0 failed, 0 not measured .*, 5 model calls, 500 tokens, 0\.5000 US dollars/);
    assert.equal(code, 0);
  });

  it("can stand with the gates, and the command line goes before them", async () => {
    const gates = "budget: {calls: 2}\ngates: [{name: All pass, passAll: 1}]";
    folder.write("gates.yaml", gates);
    assert.match((await run("--gate", "gates.yaml")).out, /2 passed, 0 failed, 3 not measured/);
    assert.match((await run("--gate", "gates.yaml", "--budget", "calls=4")).out, /4 passed, 0 failed, 1 not measured/);
  });

  it("is refused with the fault and what to write", async () => {
    const faults = [
      ["calls", /--budget has 'calls', which is no number above 0\./],
      ["calls=0", /--budget has 'calls=0', which is no number above 0\./],
      [
        "euros=5",
        /--budget has 'euros=5'; write calls=<number>, tokens=<number>, dollars=<number>, minutes=<number>\./,
      ],
    ] as const;
    for (const [budget, message] of faults) assert.match((await run("--budget", budget)).err, message);
    const unpriced = await folder.run(EXAMPLE, "goldens.yaml", "--config", "unpriced.json", "--budget", "dollars=1");
    assert.equal(unpriced.code, 2);
    assert.match(unpriced.err, /A budget in dollars needs prices of models: set quotas\.prices in the configuration\./);
  });
});
