import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { type ConformanceProgram, parsePrograms } from "@frontdesk/sealed-python/conformance";
import { createEchoingHost } from "./echoing-host.ts";
import { createTestSandbox } from "./test-sandbox.ts";

/** Small programs with the results that the reference promises, run in the real guest. Their format: `python/test/conformance/program.ts`. */
const FOLDER = join(import.meta.dirname, "conformance");

const { sandbox } = createTestSandbox();
after(() => sandbox.close());

const CONTEXT = {
  invocationId: "invocation-1",
  agentName: "Front desk",
  sessionId: "session-1",
  userContent: { role: "user", parts: [{ text: "and now?" }] },
  events: [event("user", "hello"), event("Front desk", "good day"), event("user", "one"), event("user", "and now?")],
  extra: { language_code: "de-DE", project_id: "p", location: "eu", app_id: "app", turn_index: 2 },
};
const STATE = { cart: { items: [] }, count: 1, old: true };

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".py"))) {
  describe(`Python: ${name}`, () => {
    for (const program of parsePrograms(readFileSync(join(FOLDER, name), "utf8"))) {
      it(`${program.claim} (${program.source})`, async () => assert.deepEqual(await run(program), program.expected));
    }
  });
}

/** What the program did, told in the terms that it expects. */
async function run({ code, entry, args, expected }: ConformanceProgram) {
  const host = createEchoingHost();
  const outcome = await sandbox.run(
    {
      code,
      filename: "python_code.py",
      entry,
      keyword: args,
      context: { ...CONTEXT, state: structuredClone(STATE) },
      toolNames: host.toolNames,
    },
    { tenant: "apps/a", turn: "one", limits: { cpuMs: 20_000, wallMs: 60_000 }, onHostCall: host.answer },
  );
  const isRaised = outcome.kind === "raised";
  if (!isRaised && outcome.kind !== "returned") return outcome;
  const { set, removed } = outcome.state;
  return {
    ...(outcome.kind === "returned"
      ? { value: outcome.value }
      : { error: `${outcome.type}: ${outcome.message}`.trim() }),
    ...(expected.frames &&
      isRaised && { frames: outcome.frames.map((frame) => `${frame.line} ${frame.function} ${frame.source}`) }),
    ...(expected.state && { state: { set, removed: removed.toSorted() } }),
    ...(expected.output && { output: outcome.output.map(({ text }) => text) }),
  };
}

function event(author: string, text: string) {
  const content = { role: author === "user" ? "user" : "model", parts: [{ text }] };
  return { id: text, invocation_id: "i", author, timestamp: 1, content };
}
