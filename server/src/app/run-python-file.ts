import { randomUUID } from "node:crypto";
import { createEgress, createLogger, definedFields, type JsonObject } from "#base";
import { createSandbox, type PythonModule, type Sandbox } from "#sandbox";
import {
  CALLBACK_LIMITS,
  createTools,
  type EntryPointParameter,
  entryPointArguments,
  entryPointParameters,
  readPythonContext,
  runUserCode,
  TOOL_LIMITS,
  type ToolContext,
  type Tools,
  type UserCodeOutcome,
} from "#tools";
import type { Config } from "./config.ts";

/** A Python file and how to call it. */
export interface PythonFileCall {
  readonly code: string;
  /** Name in tracebacks. */
  readonly filename: string;
  /** Default: the callback that the file defines, else its first function. */
  readonly function?: string;
  /** A tool's keyword arguments; for a callback its parameters by name. */
  readonly args: JsonObject;
  /** Attributes of the context by their Python names; `state` holds the variables. */
  readonly context: JsonObject;
  /** Time limit, milliseconds. Default: the limit of tools or callbacks. */
  readonly timeoutMs?: number;
}

/** The result of a run. */
export interface PythonFileRun {
  /** Name of the function that was called; "" when the file does not load. */
  readonly entry: string;
  /** A callback's parameters in order; undefined for a tool. `edited` of the outcome has their order. */
  readonly parameters: readonly EntryPointParameter[] | undefined;
  readonly outcome: UserCodeOutcome;
}

/** The settings of the server that apply to a run. */
type PythonFileConfig = Pick<Config, "dataDir" | "cacheDir" | "sandbox" | "egressAllow">;

/**
 * Runs a file in a guest of its own, as the server would: same interpreter, limits and egress rules. There is no app, so `tools` is
 * empty. INVALID_ARGUMENT when arguments or context are invalid; the outcome has everything that the code does. Rejects with the signal's reason, and ends
 * the guest then, whatever the code does.
 */
export async function runPythonFile(
  call: PythonFileCall,
  config: PythonFileConfig,
  signal: AbortSignal,
): Promise<PythonFileRun> {
  const logger = createLogger("silent");
  const { dataDir, cacheDir } = config;
  const sandbox = createSandbox({ dataDir, cacheDir, logger, ...config.sandbox, maxGuests: 1 });
  const egress = createEgress({ allowedPrivateHosts: config.egressAllow });
  try {
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    return await Promise.race([
      runPythonCode(call, sandbox, createTools({ sandbox, egress, logger })),
      aborted.promise,
    ]);
  } finally {
    await Promise.all([sandbox.close(), egress.close()]);
  }
}

/** Runs code in a sandbox that is there already. INVALID_ARGUMENT and outcome are those of `runPythonFile`. */
export async function runPythonCode(call: PythonFileCall, sandbox: Sandbox, tools: Tools): Promise<PythonFileRun> {
  const context = contextOf(call.context);
  const module = await sandbox.inspect(call.code);
  const entry = call.function ?? entryOf(module);
  const parameters = entryPointParameters(entry);
  const defaults = parameters ? CALLBACK_LIMITS : TOOL_LIMITS;
  const { timeoutMs: wallMs = defaults.wallMs } = call;
  const limits = { wallMs, cpuMs: Math.min(defaults.cpuMs, wallMs) };
  const { code, filename } = call;
  const args = entryPointArguments(entry, call.args);
  // Only contexts of tools have a call id.
  const functionCallId = parameters ? undefined : (context.python.functionCallId ?? "call-1");
  const hook = {
    code,
    filename,
    entry,
    ...args,
    context,
    limits,
    ...definedFields({ functionCallId }),
  };
  const outcome = await runUserCode(hook, { sandbox, tools });
  return { entry, parameters, outcome };
}

/** A file that does not load is run all the same, because the traceback shows the error. */
function entryOf(module: PythonModule): string {
  if (module.kind === "broken") return "";
  const names = module.functions.map(({ name }) => name);
  return names.find((name) => entryPointParameters(name) !== undefined) ?? names[0] ?? "";
}

function contextOf(context: JsonObject): ToolContext {
  return {
    app: "",
    turn: randomUUID(),
    python: readPythonContext(context, "context"),
    appTools: new Map(),
    useFakes: false,
    depth: 0,
    signal: new AbortController().signal,
  };
}
