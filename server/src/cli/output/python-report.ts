import type { PythonFileCall, PythonFileRun } from "#app";
import { definedFields, type JsonObject, type JsonValue, nonEmptyFields } from "#base";

type Outcome = PythonFileRun["outcome"];
type Failed = Extract<Outcome, { readonly kind: "failed" }>;
type Frame = Failed["frames"][number];

/** Lines of source shown before the one that failed. */
const CONTEXT_LINES = 3;

/** A run as one JSON object, for programs. */
export function pythonResult({ filename }: PythonFileCall, { entry, parameters, outcome }: PythonFileRun): JsonObject {
  const { durationMs, output, state } = outcome;
  return {
    file: filename,
    function: entry,
    ok: outcome.kind === "returned",
    ...(outcome.kind === "returned"
      ? { result: outcome.value, type: outcome.returnType, edited: editedArguments(parameters, outcome.edited) }
      : { error: errorOf(outcome) }),
    state: { set: state.set, removed: [...state.removed] },
    output: output.map(({ stream, text }) => ({ stream, text })),
    durationMs: Math.round(durationMs * 1000) / 1000,
  };
}

function errorOf({ cause, type, message, frames }: Failed): JsonObject {
  const line = frames.at(-1)?.line;
  return {
    kind: cause,
    ...nonEmptyFields({ type }),
    message,
    ...definedFields({ line }),
    traceback: frames.map((frame) => ({ ...frame })),
  };
}

/** A run for people: result, changes and output; for an error the traceback. */
export function pythonReport(
  call: PythonFileCall,
  { entry, parameters, outcome }: PythonFileRun,
  colours: boolean,
): string {
  const paint = colours ? COLOURED : PLAIN;
  const title = entry === "" ? call.filename : `${call.filename}::${entry}`;
  const time = `${outcome.durationMs.toFixed(1)} ms`;
  const sections =
    outcome.kind === "returned"
      ? [
          `${paint.good("✓")} ${paint.strong(title)}  ${paint.faint(time)}`,
          section(`result (${outcome.returnType})`, [pretty(outcome.value)], paint),
          section("arguments changed", entries(editedArguments(parameters, outcome.edited)), paint),
        ]
      : [`${paint.bad("✗")} ${paint.strong(title)}  ${paint.faint(time)}`, failure(call, outcome, paint)];
  const { set, removed } = outcome.state;
  const variables = [...entries(set), ...removed.map((name) => `${name} removed`)];
  const lines = outcome.output.map(({ text }) => text);
  return [...sections, section("variables", variables, paint), section("output", lines, paint)]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The arguments that the code changed in place, by the documented names of the parameters. */
function editedArguments(
  parameters: PythonFileRun["parameters"],
  edited: readonly (JsonValue | undefined)[],
): JsonObject {
  const changed = (parameters ?? []).flatMap((name, position) => {
    const value = edited[position];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(changed);
}

function entries(values: JsonObject): string[] {
  return Object.entries(values).map(([name, value]) => `${name} = ${pretty(value)}`);
}

function section(title: string, lines: readonly string[], { faint }: Paint): string {
  if (lines.length === 0) return "";
  return [faint(title), ...lines.flatMap((line) => line.split("\n")).map((line) => `  ${line}`)].join("\n");
}

function pretty(value: JsonValue): string {
  const line = JSON.stringify(value);
  return line.length <= 80 ? line : JSON.stringify(value, null, 2);
}

/** Callers in one line each, then the failing line with context, then the exception. */
function failure({ code }: PythonFileCall, { cause, error, frames }: Failed, paint: Paint): string {
  const exception = `${paint.bad("E")}  ${paint.bad(cause === "raised" ? error : `${cause}: ${error}`)}`;
  const innermost = frames.at(-1);
  if (!innermost) return exception;
  const callers = frames.slice(0, -1).flatMap((frame) => [place(frame, paint), `     ${frame.source}`]);
  return [...callers, place(innermost, paint), ...excerpt(code.split("\n"), innermost.line, paint), exception].join(
    "\n",
  );
}

function place({ filename, line, function: name }: Frame, { strong }: Paint): string {
  return `${strong(`${filename}:${line}`)} in ${name}`;
}

function excerpt(source: readonly string[], line: number, { faint, strong }: Paint): readonly string[] {
  const first = Math.max(1, line - CONTEXT_LINES);
  const width = String(line).length;
  return source.slice(first - 1, line).map((text, offset) => {
    const number = String(first + offset).padStart(width);
    return first + offset === line ? strong(`>  ${number} │ ${text}`) : faint(`   ${number} │ ${text}`);
  });
}

interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

const painted = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
const plain = (text: string) => text;
const COLOURED: Paint = { strong: painted(1), faint: painted(2), good: painted(32), bad: painted(31) };
const PLAIN: Paint = { strong: plain, faint: plain, good: plain, bad: plain };
