import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { InspectedModule } from "#resources";
import { KNOWN_PYTHON, withKnownPython } from "../../src/app/build/known-python.ts";
import { createTestSandbox } from "./test-sandbox.ts";

const EXAMPLE = join(import.meta.dirname, "../../../examples/order-desk/app");

describe("Python of the shipped example", () => {
  const { sandbox } = createTestSandbox();
  after(() => sandbox.close());

  it("is known as the sandbox knows it", async () => {
    const files = (await Array.fromAsync(glob("**/*.py", { cwd: EXAMPLE }))).sort();
    const codes = files.map((file) => readFileSync(join(EXAMPLE, file), "utf8"));
    const found: Record<string, InspectedModule> = {};
    for (const code of codes) found[hash("sha256", code)] = await sandbox.inspect(code);
    const text = `${JSON.stringify(found, null, 2)}\n`;
    if (process.env.UPDATE_PAGES) writeFileSync(KNOWN_PYTHON, text);
    assert.deepEqual(JSON.parse(readFileSync(KNOWN_PYTHON, "utf8")), JSON.parse(text));
  });

  it("is not asked of the sandbox, and other Python is", async () => {
    const [file = ""] = await Array.fromAsync(glob("tools/**/*.py", { cwd: EXAMPLE }));
    const asked: string[] = [];
    const inspect = withKnownPython(async (code) => {
      asked.push(code);
      return { kind: "module", functions: [] };
    });
    const known = await inspect(readFileSync(join(EXAMPLE, file), "utf8"));
    assert.ok(known.kind === "module" && known.functions.length > 0);
    await inspect("x = 1\n");
    assert.deepEqual(asked, ["x = 1\n"]);
  });
});
