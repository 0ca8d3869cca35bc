import type { PythonFunction } from "@frontdesk/protos/ces/python_function";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { type JsonObject, nonEmptyFields, pickJson } from "#base";
import { NotInspected, type PythonFunctionInfo, type PythonModule } from "#sandbox";
import { failedPrecondition, resourceExhausted, unavailable } from "#status";
import type { ToolCall, ToolContext, ToolOutcome } from "../contract.ts";
import { failed } from "../outcomes.ts";
import type { KindDeps, ToolKind } from "../tool-kind.ts";
import { toolLimits } from "../tool-limits.ts";
import { appOfTool, toolName } from "../tool-name.ts";
import { runUserCode, toToolOutcome } from "./run-user-code.ts";

/** A Python tool. Its schema comes from signature and docstring, its arguments are keywords, its response is `{"result": …}`. */
export const pythonFunction: ToolKind<"pythonFunction"> = {
  runs: "server",
  declare: async (definition, tool, deps) => {
    const entry = await findEntry(definition, tool, deps);
    return {
      name: toolName(tool) || entry.name,
      description: entry.summary || definition.description,
      parameters: parametersOf(entry),
      response: { type: "object", properties: { result: entry.returnSchema } },
    };
  },
  execute: runPythonTool,
};

async function runPythonTool(
  definition: PythonFunction,
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
  deps: KindDeps,
): Promise<ToolOutcome> {
  const { args, missing, surplus } = await matchParameters(definition, call.args, context.app, deps);
  if (missing.length > 0) return failed(`Missing parameter: ${missing.join(", ")}`);
  const outcome = await runUserCode(
    {
      code: definition.pythonCode,
      filename: `tools/${toolName(tool)}/python_function/python_code.py`,
      entry: definition.name,
      keyword: args,
      context,
      functionCallId: call.id,
      limits: toolLimits(tool),
    },
    deps,
  );
  const result = toToolOutcome(outcome);
  return surplus.length > 0 ? { ...result, trace: { warnings: [droppedArguments(tool, surplus)] } } : result;
}

async function findEntry(definition: PythonFunction, tool: Tool, deps: KindDeps): Promise<PythonFunctionInfo> {
  const module = await inspect(definition, tool, deps);
  if (module.kind === "broken") {
    throw failedPrecondition(
      `The code of tool '${toolName(tool)}' does not load: ${module.type}: ${module.message} (line ${module.line}).`,
      { reason: "PYTHON_CODE_BROKEN", metadata: { tool: tool.name } },
    );
  }
  const entry = entryOf(definition, module.functions);
  if (entry) return entry;
  const expected = definition.name ? `a function named '${definition.name}'` : "a function";
  throw failedPrecondition(`The code of tool '${toolName(tool)}' does not define ${expected}.`, {
    reason: "PYTHON_ENTRY_MISSING",
    metadata: { tool: tool.name },
  });
}

/** What the code defines. Guests that are busy for too long, or ended, say nothing of the tool, which is there with the next request. */
async function inspect({ pythonCode }: PythonFunction, tool: Tool, { sandbox }: KindDeps): Promise<PythonModule> {
  try {
    return await sandbox.inspect(pythonCode, { tenant: appOfTool(tool) });
  } catch (error) {
    // A disk that is full has a code, and its own status.
    if (!(error instanceof NotInspected) || error.code !== undefined) throw error;
    if (error.busy)
      throw resourceExhausted(`Python is busy: ${error.message}.`, { reason: "PYTHON_BUSY", retryMs: RETRY_MS });
    throw unavailable(`The code of tool '${toolName(tool)}' could not be looked at: ${error.message}.`, {
      reason: "PYTHON_UNAVAILABLE",
      metadata: { tool: tool.name },
    });
  }
}

/** When a guest may be free again, milliseconds. */
const RETRY_MS = 1_000;

/** `PythonFunction.name`, case-sensitive (PY-4); the first function of the file when it is empty (proto comment). */
function entryOf(definition: PythonFunction, functions: readonly PythonFunctionInfo[]): PythonFunctionInfo | undefined {
  return definition.name ? functions.find(({ name }) => name === definition.name) : functions[0];
}

/** The arguments of a call as the entry function takes them. */
interface MatchedArguments {
  readonly args: JsonObject;
  /** Names of required parameters without an argument. */
  readonly missing: readonly string[];
  /** Names of arguments that were dropped, because the function has no such parameter. */
  readonly surplus: readonly string[];
}

/**
 * Done before the code runs: a missing argument is answered with the hosted product's error text, surplus ones are dropped unless the
 * function has `**kwargs` (PY-41). A file that does not load takes all arguments, and fails with its own error. Rejects with `NotInspected`.
 */
async function matchParameters(
  definition: PythonFunction,
  args: JsonObject,
  tenant: string,
  deps: KindDeps,
): Promise<MatchedArguments> {
  const module = await deps.sandbox.inspect(definition.pythonCode, { tenant });
  const entry = module.kind === "module" ? entryOf(definition, module.functions) : undefined;
  if (!entry) return { args, missing: [], surplus: [] };
  const parameters = namedParameters(entry);
  const missing = parameters.filter(({ name, hasDefault }) => !hasDefault && !(name in args)).map(({ name }) => name);
  if (entry.parameters.some(({ kind }) => kind === "var-keyword")) return { args, missing, surplus: [] };
  const surplus = Object.keys(args).filter((given) => !parameters.some(({ name }) => name === given));
  if (surplus.length === 0) return { args, missing, surplus };
  const names = parameters.map(({ name }) => name);
  return { args: pickJson(args, names), missing, surplus };
}

function droppedArguments(tool: Tool, surplus: readonly string[]): string {
  const [parameters, were] = surplus.length === 1 ? ["parameter", "argument was"] : ["parameters", "arguments were"];
  return `The function of tool '${toolName(tool)}' has no ${parameters} ${surplus.join(", ")}; the ${were} dropped.`;
}

/** The input schema, from the signature and the docstring of the entry function (PY-30). */
function parametersOf(entry: PythonFunctionInfo): JsonObject {
  const parameters = namedParameters(entry);
  const properties: JsonObject = {};
  for (const { name, schema, description, hasDefault, default: value } of parameters) {
    properties[name] = {
      ...schema,
      ...nonEmptyFields({ description }),
      ...(hasDefault && value !== undefined && value !== null && { default: value }),
    };
  }
  const required = parameters.filter(({ hasDefault }) => !hasDefault).map(({ name }) => name);
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function namedParameters(entry: PythonFunctionInfo): PythonFunctionInfo["parameters"] {
  return entry.parameters.filter(({ kind }) => kind === "positional" || kind === "keyword-only");
}
