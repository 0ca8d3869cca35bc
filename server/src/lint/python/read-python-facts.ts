import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "#sandbox";
import { internal } from "#status";
import type { ParsedPython } from "./python-facts.ts";

const PROGRAM = join(import.meta.dirname, "../../../guest/frontdesk_lint/python_facts.py");

/** Time for the files of a whole app. A file of 1,000 lines takes some milliseconds. */
const LIMITS = { cpuMs: 60_000, wallMs: 120_000 };

/**
 * The facts of Python files by path, read off syntax trees in one call of the sandbox (LINT-6). Nothing of the files is run. An empty map needs no sandbox.
 * INTERNAL when the sandbox fails.
 */
export async function readPythonFacts(
  files: ReadonlyMap<string, string>,
  sandbox: Sandbox,
): Promise<ReadonlyMap<string, ParsedPython>> {
  if (files.size === 0) return new Map();
  const outcome = await sandbox.run(
    {
      code: await readFile(PROGRAM, "utf8"),
      filename: "python_facts.py",
      entry: "python_facts",
      keyword: { files: Object.fromEntries(files) },
      context: NO_CONVERSATION,
      toolNames: [],
    },
    { tenant: "lint", turn: "lint", limits: LIMITS, onHostCall: () => Promise.reject(new Error("no calls")) },
  );
  if (outcome.kind !== "returned") {
    throw internal(new Error(`Python files could not be parsed: ${outcome.message}`));
  }
  // The program above wrote it.
  return new Map(Object.entries(outcome.value as unknown as Record<string, ParsedPython>));
}

const NO_CONVERSATION = {
  invocationId: "",
  agentName: "",
  sessionId: "",
  state: {},
  userContent: null,
  events: { length: 0, at: () => undefined },
};
