import assert from "node:assert/strict";
import { it } from "node:test";
import { createTestSandbox } from "../test/test-sandbox.ts";

const FILE = "def greet(name: str) -> str:\n    return name\n";
const BROKEN = "1 +\n";

it("keeps over restarts what was found out about files that load, and looks at others again (PY-47)", async () => {
  const texts = new Map<string, string>();
  const findings = {
    get: async (key: string) => texts.get(key),
    put: async (key: string, text: string) => void texts.set(key, text),
  };
  const namesIn = async (code: string) => {
    await using test = createTestSandbox({ maxGuests: 1, findings });
    const module = await test.sandbox.inspect(code);
    return module.kind === "module" ? module.functions.map(({ name }) => name) : module.type;
  };
  assert.deepEqual(await namesIn(FILE), ["greet"]);
  assert.equal(await namesIn(BROKEN), "SyntaxError");
  const [[key, text] = ["", ""], ...others] = texts;
  assert.deepEqual(others, []);
  assert.match(key, /^[\w.-]+\/[0-9a-f]{64}$/);
  texts.set(key, text.replace("greet", "kept"));
  assert.deepEqual(await namesIn(FILE), ["kept"], "no guest looked at it");
  texts.set(key, "{");
  assert.deepEqual(await namesIn(FILE), ["greet"]);
});

it("looks at files as ever where the store fails", async () => {
  const fail = () => Promise.reject(new Error("away"));
  await using test = createTestSandbox({ maxGuests: 1, findings: { get: fail, put: fail } });
  assert.equal((await test.sandbox.inspect(FILE)).kind, "module");
});
