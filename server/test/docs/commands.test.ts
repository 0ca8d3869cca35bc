import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { commandBlocks, NOT_RUN, shown, whyNotRun } from "./documented-commands.ts";

describe("the commands of the documentation", () => {
  const commands = commandBlocks().flatMap((block) => block.commands.map((command) => ({ ...block, command })));

  it("are run by commands.long.test.ts, but for those that are listed with a reason", () => {
    assert.ok(commands.filter(({ command }) => !whyNotRun(command)).length > 100);
  });

  it("are all that the list of those that are not run names", () => {
    const stale = NOT_RUN.filter(([begins]) => !commands.some(({ command }) => shown(command).startsWith(begins)));
    assert.deepEqual(stale, []);
  });
});
