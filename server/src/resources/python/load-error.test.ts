import assert from "node:assert/strict";
import { it } from "node:test";
import { loadError } from "./load-error.ts";

const told = (message: string) => loadError({ kind: "broken", type: "SyntaxError", message } as never);

it("an error stands within a sentence, so its full stop is left out", () => {
  assert.equal(told("invalid syntax. \n"), "SyntaxError: invalid syntax");
});

it("an error with a million blanks stops nobody (WIRE-79)", { timeout: 60_000 }, () => {
  assert.equal(told(`${" ".repeat(1_000_000)}x`).length, "SyntaxError: ".length + 1_000_001);
});
