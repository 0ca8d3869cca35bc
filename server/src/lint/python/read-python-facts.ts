import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "#sandbox";
import { internal } from "#status";
import type { ParsedPython } from "./python-facts.ts";

const PROGRAM = join(import.meta.dirname, "../../../guest/frontdesk_lint/python_facts.py");

/** Time for one call. A file of 1,000 lines takes some milliseconds. */
const LIMITS = { cpuMs: 60_000, wallMs: 120_000 };

/** What one call reads at most, of files and of their characters: a call and its result have a limit, and facts can be longer than the code. */
const MOST_FILES = 100;
const MOST_CHARACTERS = 200_000;

type PythonFile = readonly [path: string, code: string];

/**
 * The facts of Python files by path, read off syntax trees in calls of the sandbox (LINT-6). Nothing of the files is run. An empty map needs no sandbox.
 * INTERNAL when the sandbox fails.
 */
export async function readPythonFacts(
  files: ReadonlyMap<string, string>,
  sandbox: Sandbox,
): Promise<ReadonlyMap<string, ParsedPython>> {
  if (files.size === 0) return new Map();
  const program = await readFile(PROGRAM, "utf8");
  const facts = new Map<string, ParsedPython>();
  for (const batch of batchesOf([...files]))
    for (const [path, found] of await factsOf(batch, program, sandbox)) facts.set(path, found);
  return facts;
}

/** The files in their order; a file that is larger than a batch is one of its own. */
function batchesOf(files: readonly PythonFile[]): readonly (readonly PythonFile[])[] {
  const batches: PythonFile[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const batch = batches.at(-1) ?? [];
    characters += file[1].length;
    if (batch.length < MOST_FILES && characters <= MOST_CHARACTERS) batch.push(file);
    else {
      batches.push([file]);
      characters = file[1].length;
    }
  }
  return batches;
}

/** The facts of a batch. One that fails is halved, since its facts may have been too long, until the file is known that cannot be read. */
async function factsOf(
  batch: readonly PythonFile[],
  program: string,
  sandbox: Sandbox,
): Promise<readonly (readonly [string, ParsedPython])[]> {
  const outcome = await sandbox.run(
    {
      code: program,
      filename: "python_facts.py",
      entry: "python_facts",
      keyword: { files: Object.fromEntries(batch) },
      context: NO_CONVERSATION,
      toolNames: [],
    },
    { tenant: "lint", turn: "lint", limits: LIMITS, onHostCall: () => Promise.reject(new Error("no calls")) },
  );
  // The program above wrote it.
  if (outcome.kind === "returned") return Object.entries(outcome.value as unknown as Record<string, ParsedPython>);
  if (batch.length === 1)
    throw internal(new Error(`The Python file ${batch[0]?.[0]} could not be parsed: ${outcome.message}`));
  const half = Math.ceil(batch.length / 2);
  return [
    ...(await factsOf(batch.slice(0, half), program, sandbox)),
    ...(await factsOf(batch.slice(half), program, sandbox)),
  ];
}

const NO_CONVERSATION = {
  invocationId: "",
  agentName: "",
  sessionId: "",
  state: {},
  userContent: null,
  events: { length: 0, at: () => undefined },
};
