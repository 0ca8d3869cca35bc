import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "./test-sandbox.ts";

const { sandbox, ...rest } = createTestSandbox();
after(() => rest[Symbol.asyncDispose]());

/** Names and parameters' schemas of the functions of a file. */
async function functionsOf(code: string) {
  const module = await sandbox.inspect(code);
  if (module.kind !== "module") throw new Error(JSON.stringify(module));
  return module.functions;
}

describe("inspect, with the platform's globals", () => {
  it("describes the platform's classes as objects, and needs no import of typing", async () => {
    const [found] = await functionsOf(
      "def f(a: Content, b: Optional[str], c: Part(text='no type')) -> dict[str, Any]:\n    pass\n",
    );
    assert.deepEqual(
      found?.parameters.map(({ schema }) => schema),
      [{ type: "object" }, { type: "string", nullable: true }, {}],
    );
    assert.deepEqual(found?.returnSchema, { type: "object" });
  });

  it("asks no server", async () => {
    assert.partialDeepStrictEqual(await sandbox.inspect(`ces_requests.get("https://a.example")\n`), {
      kind: "broken",
      type: "HostRefusal",
    });
  });

  it("takes any tool for one that the app has", async () => {
    const code = `look_up = tools.look_up\nlater = async_tools["crm-find"]\ndef f():\n    return look_up({})\n`;
    assert.deepEqual(
      (await functionsOf(code)).map(({ name }) => name),
      ["f"],
    );
  });
});
