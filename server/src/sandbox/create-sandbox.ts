import { join } from "node:path";
import { createSandbox as createSealedSandbox, type ProgramInput } from "@frontdesk/sealed-python";
import { definedFields, type JsonObject, type Logger, writeJson } from "#base";
import type { PythonArgument, PythonCall, Sandbox } from "./contract.ts";
import { hostFunctions } from "./host-functions.ts";
import { outcomeOf } from "./outcomes.ts";

/** The Python package that makes a sealed interpreter this product's: classes and globals that user code finds. */
const GUEST_PROGRAM = join(import.meta.dirname, "../../guest/frontdesk_guest");

export interface SandboxOptions {
  /** The server's data folder: the image is cached in `cache/` below it, unless `cacheDir` names another place. */
  readonly dataDir: string;
  readonly cacheDir?: string;
  /** Folder of wheels and their SHA256SUMS, whose packages user code may import. Default: none. */
  readonly wheelsDir?: string;
  readonly logger: Logger;
  /** Guests that may compute at the same time. Default: the number of processors, at least two. */
  readonly maxGuests?: number;
  /** Memory that all guests together may take, bytes. Default: a quarter of the machine's, or of the container's. */
  readonly memoryBudget?: number;
  /** Default: Deno where its binary starts, else Node. `worker` is for development: the interpreter alone isolates. */
  readonly host?: "deno" | "node" | "worker";
}

/**
 * Creates the Python host. Returns at once; the image is checked or built and the first guests are started in the
 * background, and the first calls wait for that.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { dataDir, cacheDir = join(dataDir, "cache"), wheelsDir, host, logger, maxGuests, memoryBudget } = options;
  const sealed = createSealedSandbox({
    cacheFolder: cacheDir,
    programFolder: GUEST_PROGRAM,
    logger,
    ...definedFields({ wheelsFolder: wheelsDir }),
    ...(host && { runtime: host }),
    ...definedFields({ maxGuests, memoryBudget }),
  });
  return {
    async run(call, { turn, onHostCall, ...runOptions }) {
      const { code, filename, entry, keyword = {} } = call;
      const outcome = await sealed.run(
        { code, filename, entry, keyword, input: programInput(call) },
        { ...runOptions, group: turn, hostFunctions: hostFunctions(onHostCall, call.toolNames) },
      );
      return outcomeOf(outcome, call.positional?.length ?? 0);
    },
    inspect: (code, options) => sealed.inspect(code, options),
    status() {
      const { runtime, bubblewrap, guests, warning } = sealed.status();
      return { host: runtime, bubblewrap, guests, ...(warning && { warning }) };
    },
    close: () => sealed.close(),
  };
}

/** What `begin` of the guest program takes: fields, and the texts of variables, events and arguments, which code may never look at. */
function programInput({ context, toolNames, positional = [] }: PythonCall): ProgramInput {
  return {
    fields: {
      positional: positional.map(describeArgument),
      tools: [...toolNames],
      context: {
        ...context.extra,
        invocation_id: context.invocationId,
        agent_name: context.agentName,
        session_id: context.sessionId,
        user_content: context.userContent,
        ...definedFields({ function_call_id: context.functionCallId }),
      },
    },
    segments: [writeJson(context.state), `[${context.events.map(textOnce).join(",")}]`, ...positional.map(textOf)],
  };
}

function describeArgument(argument: PythonArgument): JsonObject {
  const { kind } = argument;
  return kind === "tool" ? { kind, name: argument.name, description: argument.description } : { kind };
}

function textOf(argument: PythonArgument): string {
  if (argument.kind === "llm-request") return textOnce(argument.value);
  return "value" in argument ? writeJson(argument.value) : "";
}

/** JSON of what several calls of a turn are given: the conversation, the model's request. Such values never change. */
const texts = new WeakMap<JsonObject, string>();

function textOnce(value: JsonObject): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = writeJson(value);
  texts.set(value, text);
  return text;
}
