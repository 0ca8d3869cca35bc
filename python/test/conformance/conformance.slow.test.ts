import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "../test-sandbox.ts";
import { type ConformanceProgram, parsePrograms } from "./program.ts";

/** Small programs with the results that CPython 3.12 has for them, run in the real guest. Their format: program.ts. */
const FOLDER = import.meta.dirname;

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".py"))) {
  describe(`Python: ${name}`, () => {
    for (const program of parsePrograms(readFileSync(join(FOLDER, name), "utf8"))) {
      it(`${program.claim} (${program.source})`, async () => assert.deepEqual(await run(program), program.expected));
    }
  });
}

/** What the program did, in the terms that it expects. */
async function run({ code, entry, args, expected }: ConformanceProgram) {
  const outcome = await sandbox.run(code, { entry, keyword: args, group: "one" });
  if (outcome.kind !== "raised" && outcome.kind !== "returned") return outcome;
  const isRaised = outcome.kind === "raised";
  return {
    ...(isRaised ? { error: `${outcome.type}: ${outcome.message}`.trim() } : { value: outcome.value }),
    ...(expected.frames &&
      isRaised && { frames: outcome.frames.map((frame) => `${frame.line} ${frame.function} ${frame.source}`) }),
    ...(expected.output && { output: outcome.output.map(({ text }) => text) }),
  };
}
