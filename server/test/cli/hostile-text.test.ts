import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { startTestServer } from "#testing";
import { openCommandLine } from "../command-line.ts";

/** Clears the screen, conceals what follows, writes to the clipboard, and goes back to the start of the line. */
const HOSTILE = "first\u001b[2J\u001b[8mline\u001b]52;c;Zm9v\u0007\r\tand\u009b2K\nsecond";
const SHOWN = "first[2J[8mline]52;c;Zm9v\tand2K\nsecond";

const REPEATER: LanguageModel = {
  label: "test/repeater",
  capabilities: LLM_CAPABILITIES,
  async *stream(): AsyncGenerator<StreamPart, void> {
    yield { kind: "text-delta", text: HOSTILE };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

describe("text that a model wrote, in the terminal", () => {
  it("is shown without what would move the cursor or hide a line, and is whole for programs", async () => {
    await using server = await startTestServer({ example: true, model: REPEATER });
    await using commands = openCommandLine();
    const home = mkdtempSync(join(tmpdir(), "cli-hostile-"));
    const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: home, FRONTDESK_SERVER: server.address };
    try {
      const chat = ["chat", "order-desk", "--say", "hello"];
      const shown = await commands.run(chat, { env: { ...env, FORCE_COLOR: "1" } });
      assert.equal(shown.stdout.includes(`\u001b[1magent  \u001b[22m${SHOWN}\n`), true, JSON.stringify(shown));
      const whole = await commands.run([...chat, "--json"], { env });
      assert.equal(whole.stdout.includes(JSON.stringify(HOSTILE).slice(1, -1)), true, whole.stdout);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
