import type {
  PythonCall,
  PythonFrame,
  PythonFunctionInfo,
  PythonModule,
  PythonOutcome,
  RunRecord,
} from "./contract.ts";
import { parseGuestJson, positionOf, textOf } from "./guest-json.ts";
import { isJsonObject, type JsonArray, type JsonObject, unreachable } from "./json.ts";
import { keepSpelling } from "./json-spelling.ts";
import type { GuestResult } from "./process/guest.ts";

/** Reads how a run ended. The answer comes from where the user's code ran, so its shape is checked, not believed. */
export function parseOutcome(result: GuestResult, call: PythonCall, durationMs: number): PythonOutcome {
  const { ending, body, output } = result;
  const record = { output, durationMs };
  switch (ending) {
    case "answered": {
      const answer = parseGuestJson(body);
      if ("problem" in answer) return refusedResult(answer.problem, record);
      if (!isJsonObject(answer.value)) return refusedResult("is not JSON", record);
      return readAnswer(answer.value, call, record);
    }
    case "timeout":
    case "violation":
    case "crashed":
    case "out-of-memory":
    case "cancelled":
    case "exhausted":
      return { ...record, kind: ending, message: body };
    default:
      return unreachable(ending);
  }
}

/** A result that the server cannot carry is the code's mistake, as one that has no JSON form is. */
function refusedResult(problem: string, record: RunRecord): PythonOutcome {
  return { ...record, kind: "raised", type: "ValueError", message: `the result ${problem}`, frames: [], report: null };
}

/** Reads what `inspect` found. */
export function parseModule({ ending, body }: Pick<GuestResult, "ending" | "body">): PythonModule {
  if (ending !== "answered") return { kind: "broken", type: ending, message: body, line: 1, column: 1 };
  const answer = parseAnswer(body);
  if (answer?.kind === "module" && Array.isArray(answer.functions)) {
    return { kind: "module", functions: answer.functions.filter(isJsonObject).map(readFunction) };
  }
  return {
    kind: "broken",
    type: textOf(answer?.type) || "crashed",
    message: textOf(answer?.message),
    line: positionOf(answer?.line),
    column: positionOf(answer?.column),
  };
}

/** The guest's JSON object, or undefined when it is none. */
export function parseAnswer(body: string): JsonObject | undefined {
  const answer = parseGuestJson(body);
  return "value" in answer && isJsonObject(answer.value) ? answer.value : undefined;
}

/** The file's top level ran before it was described, so the description may be forged: it has to have the right shape. */
function readFunction(described: JsonObject): PythonFunctionInfo {
  const { name, line, column, docstring, parameters, returns, returnSchema, summary } = described;
  return {
    name: textOf(name),
    line: positionOf(line),
    column: positionOf(column),
    docstring: textOf(docstring),
    parameters: Array.isArray(parameters) ? parameters.filter(isJsonObject).map(readParameter) : [],
    returns: textOf(returns),
    returnSchema: isJsonObject(returnSchema) ? returnSchema : {},
    summary: textOf(summary),
  };
}

const PARAMETER_KINDS = ["positional", "keyword-only", "var-positional", "var-keyword"] as const;

function readParameter(described: JsonObject): PythonFunctionInfo["parameters"][number] {
  const {
    name,
    kind,
    line,
    column,
    schema,
    annotation,
    unresolved,
    hasDefault,
    default: value,
    description,
  } = described;
  return {
    name: textOf(name),
    kind: PARAMETER_KINDS.find((known) => known === kind) ?? "positional",
    line: positionOf(line),
    column: positionOf(column),
    schema: isJsonObject(schema) ? schema : {},
    annotation: textOf(annotation),
    unresolved: unresolved === true,
    hasDefault: hasDefault === true,
    ...(value !== undefined && { default: value }),
    description: textOf(description),
  };
}

function readAnswer(answer: JsonObject, call: PythonCall, record: RunRecord): PythonOutcome {
  if (answer.kind === "out-of-memory")
    return { ...record, kind: "out-of-memory", message: memoryMessage(answer, call) };
  const { value = null, report = null } = answer;
  if (answer.kind === "returned") {
    const outcome = { ...record, kind: "returned" as const, value, returnType: textOf(answer.returnType), report };
    keepSpelling(answer, "value", outcome, "value");
    return outcome;
  }
  const frames = Array.isArray(answer.frames) ? readFrames(answer.frames, call) : [];
  return { ...record, kind: "raised", type: textOf(answer.type), message: textOf(answer.message), frames, report };
}

/** Where memory ended is told in the words: an outcome of this kind has no frames. */
function memoryMessage({ message, frames }: JsonObject, call: PythonCall): string {
  const innermost = Array.isArray(frames) ? readFrames(frames, call).at(-1) : undefined;
  const place = innermost ? ` (${innermost.filename}, line ${innermost.line})` : "";
  return `${textOf(message) || "the code used all of its memory"}${place}`;
}

/** Frames are in the user's own file, whose text is here: the guest tells the line, the source is looked up. */
function readFrames(frames: JsonArray, { filename, code }: PythonCall): PythonFrame[] {
  const lines = code.split("\n");
  return frames.filter(isJsonObject).map((frame) => {
    const line = positionOf(frame.line);
    return { filename, line, function: textOf(frame.function), source: (lines[line - 1] ?? "").trim() };
  });
}
