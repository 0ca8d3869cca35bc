import assert from "node:assert/strict";
import { it } from "node:test";
import { createKeptFindings } from "./kept-findings.ts";

it("says once that files cannot be kept while others can be read, and again when that failed anew", async () => {
  let isFull = true;
  const lines: string[] = [];
  const note = (_: object, line: string) => void lines.push(line);
  let answered = 0;
  const store = {
    get: async () => undefined,
    put: async () => {
      answered += 1;
      if (isFull) throw new Error("no space left");
    },
  };
  const findings = createKeptFindings(
    store,
    { imageName: async () => "image" },
    { info: note, warn: note, error: note },
  );
  const file = async (code: string) => {
    const before = answered;
    await findings.find(code);
    findings.keep(code, "{}");
    while (answered === before) await new Promise(setImmediate);
    await new Promise(setImmediate);
  };
  for (const code of ["a", "b", "c"]) await file(code);
  assert.deepEqual(lines, ["what is known of Python files cannot be kept"]);
  isFull = false;
  await file("d");
  isFull = true;
  await file("e");
  assert.equal(lines.length, 2);
});
