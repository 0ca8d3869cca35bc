import { readFile } from "node:fs/promises";
import { stdout } from "node:process";
import type { PythonFileCall } from "#app";
import { definedFields, isJsonObject, type JsonObject } from "#base";
import { ConnectError } from "#status";
import { type Command, CommandError, type CommandInput } from "./command.ts";
import { printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { pythonReport, pythonResult } from "./output/python-report.ts";
import { hasColours } from "./output/style.ts";

/** `frontdesk python`: runs one tool or callback file in a real guest, without a server. */
export const python: Command = {
  name: "python",
  operands: "<file>",
  surplus: "Arguments are JSON, in --args.",
  summary: "run a Python tool or callback file as the server would",
  flags: [
    {
      name: "function",
      value: "name",
      summary: "function to call (default: the file's callback, else its first function)",
    },
    { name: "args", value: "json", summary: 'arguments of a tool; of a callback by name, e.g. {"llm_request": {…}}' },
    { name: "context", value: "json", summary: 'attributes of the context, e.g. {"state": {"name": "Ana"}}' },
    { name: "timeout", value: "seconds", summary: "end the call after this time (default 30)" },
    ...UNNAMED_OUTPUT_FLAGS,
  ],
  examples: [
    `python my-app/tools/look_up/python_function/python_code.py --args '{"order": "A-1001"}'`,
    "python before_model.py --context context.json --json",
  ],
  exitCodes: { 1: "the function raised, or the command failed" },
  run: async (input) => {
    const call = await callOf(input);
    const { readConfig, runPythonFile } = await import("#app");
    const stop = new AbortController();
    const interrupt = () => stop.abort(new CommandError("interrupted."));
    process.once("SIGINT", interrupt);
    const run = await asCommandError(() => runPythonFile(call, readConfig([]), stop.signal)).finally(() =>
      process.off("SIGINT", interrupt),
    );
    printResult(input.flags, {
      value: pythonResult(call, run),
      text: () => pythonReport(call, run, hasColours(stdout)),
    });
    return run.outcome.kind === "returned" ? 0 : 1;
  },
};

async function callOf({ positionals, flags }: CommandInput): Promise<PythonFileCall> {
  const [filename, ...more] = positionals;
  if (!filename || more.length > 0) throw new CommandError("name one Python file to run.");
  const timeoutMs = milliseconds(flags.timeout);
  return {
    filename,
    code: await contentOf(filename),
    ...(typeof flags.function === "string" && { function: flags.function }),
    args: objectOf("args", flags.args),
    context: objectOf("context", flags.context),
    ...definedFields({ timeoutMs }),
  };
}

async function contentOf(filename: string): Promise<string> {
  try {
    return await readFile(filename, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new CommandError(`${filename} does not exist.`);
    if (code === "EISDIR") throw new CommandError(`${filename} is a folder; name the file in it.`);
    throw error;
  }
}

function objectOf(flag: string, text: string | boolean | undefined): JsonObject {
  if (typeof text !== "string") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`--${flag} is not JSON: ${(error as Error).message}`);
  }
  if (isJsonObject(value)) return value;
  throw new CommandError(`--${flag} must be a JSON object, such as '{"name": "Ana"}'.`);
}

function milliseconds(text: string | boolean | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw new CommandError(`--timeout is '${text}'; use a number of seconds above zero.`);
}

/** Invalid arguments become a `CommandError` with the name of the flag. */
async function asCommandError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectError) throw new CommandError(`--${error.rawMessage}`);
    throw error;
  }
}
