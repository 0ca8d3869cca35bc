import { extname } from "node:path";
import { LRUCache } from "lru-cache";
import { createJobThread } from "#base";
import type { ModelDefinition, SourceFile } from "#semantics";
import { type FieldViolation, invalidArgument } from "#status";
import { type ImportedAgentModel, type ModelAnswer, type ModelJob, runModelJob } from "./model-job.ts";

/** Files of a model at most, and characters of all (CA-48). */
const MAX_FILES = 500;
const MAX_CHARACTERS = 2_000_000;
/** Characters of the model of an agent. */
const MAX_MODEL = 1_000_000;
/** Characters that are read here; more take a thread, and other calls run meanwhile. */
const SHORT_TEXT = 16 * 1024;
/** Characters of the models that were read last. */
const MAX_KEPT = 10 * MAX_MODEL;
const TOO_MUCH = "takes too much time or memory to read.";

/** A question waits for no model that a caller sends: what they send is read in another thread than what is stored. */
const [runSent, runStored] = [createModelThread(), createModelThread()];

/** Reads a model of another product, or our own. INVALID_ARGUMENT with file and line where it is none. */
export async function importAgentModel(files: readonly SourceFile[], name: string): Promise<ImportedAgentModel> {
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  if (files.length > MAX_FILES || characters > MAX_CHARACTERS) {
    const limit = `at most ${MAX_FILES} files with ${MAX_CHARACTERS.toLocaleString("en")} characters`;
    throw invalidArgument({
      field: "files",
      description: `${files.length} files with ${characters.toLocaleString("en")} characters; ${limit}.`,
    });
  }
  const job: ModelJob = { kind: "import", files: files.map(({ path, text }) => ({ path, text })), name };
  const answer = await run(runSent, job, characters);
  if (answer.kind === "imported") return answer.imported;
  throw invalidArgument({ field: "files", description: answer.kind === "fault" ? answer.fault : TOO_MUCH });
}

/** What is wrong with the model of an agent; nothing where it has none. */
export async function modelViolations(text: string, field: string): Promise<readonly FieldViolation[]> {
  if (text === "") return [];
  if (text.length > MAX_MODEL) return [{ field, description: `At most ${MAX_MODEL} characters, not ${text.length}.` }];
  const read = await readText(runSent, text);
  return typeof read === "string" ? [{ field, description: read }] : [];
}

/** The model of an agent, from the text of a model file that was checked when it was stored. */
export async function readAgentModel(text: string): Promise<ModelDefinition> {
  const read = await readText(runStored, text);
  if (typeof read === "string") throw new Error(`a stored semantic model cannot be read: ${read}`);
  return read;
}

const models = new LRUCache<string, ModelDefinition>({ maxSize: MAX_KEPT, sizeCalculation: (_, { length }) => length });

/** The model of a text, or what is wrong with it. The same object for the same text, as long as it is kept. */
async function readText(runInThread: ModelThread, text: string): Promise<ModelDefinition | string> {
  const known = models.get(text);
  if (known) return known;
  const answer = await run(runInThread, { kind: "read", text }, text.length);
  if (answer.kind !== "read") return answer.kind === "fault" ? answer.fault : TOO_MUCH;
  const definition = JSON.parse(answer.json) as ModelDefinition;
  models.set(text, definition);
  return definition;
}

async function run(runInThread: ModelThread, job: ModelJob, characters: number): Promise<ModelAnswer> {
  if (characters <= SHORT_TEXT) return runModelJob(job);
  return (await runInThread(job)) ?? { kind: "fault", fault: TOO_MUCH };
}

type ModelThread = (job: ModelJob) => Promise<ModelAnswer | undefined>;

function createModelThread(): ModelThread {
  return createJobThread<ModelJob, ModelAnswer>({
    file: new URL(`./model-worker${extname(import.meta.filename)}`, import.meta.url),
    name: "semantic-models",
    timeoutMs: 60_000,
    heapMb: 1_024,
  });
}
