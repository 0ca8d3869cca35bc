import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, unreachable } from "#base";
import type { PythonCall, PythonFrame, PythonModule, PythonOutcome } from "./contract.ts";
import type { GuestResult } from "./process/guest.ts";

/** Reads how a run ended. The answer comes from where the user's code ran, so its shape is checked, not believed. */
export function parseOutcome(result: GuestResult, call: PythonCall, durationMs: number): PythonOutcome {
  const { ending, body, output } = result;
  const record = { output, durationMs };
  switch (ending) {
    case "answered": {
      const answer = parseAnswer(body);
      if (answer === undefined) return { ...record, kind: "crashed", message: "the guest gave a malformed answer" };
      return readAnswer(answer, call, record);
    }
    case "timeout":
    case "violation":
    case "crashed":
    case "out-of-memory":
    case "cancelled":
      return { ...record, kind: ending, message: body };
    default:
      return unreachable(ending);
  }
}

/** Reads what `inspect` found. */
export function parseModule({ ending, body }: GuestResult): PythonModule {
  if (ending !== "answered") return { kind: "broken", type: ending, message: body, line: 1, column: 1 };
  const answer = parseAnswer(body);
  if (answer?.kind === "module" && Array.isArray(answer.functions)) {
    // The guest wrote this before it looked at nothing but the file; a forged description harms only its own file.
    return answer as unknown as PythonModule;
  }
  return {
    kind: "broken",
    type: text(answer?.type) || "crashed",
    message: text(answer?.message),
    line: Number(answer?.line) || 1,
    column: Number(answer?.column) || 1,
  };
}

/** The answer's JSON object, or undefined when it is none. */
export function parseAnswer(body: string): JsonObject | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    return isJsonObject(answer) ? answer : undefined;
  } catch {
    return undefined; // the caller says what that means
  }
}

type RunRecord = Pick<PythonOutcome, "output" | "durationMs">;

function readAnswer(answer: JsonObject, call: PythonCall, record: RunRecord): PythonOutcome {
  if (answer.kind === "out-of-memory") {
    return { ...record, kind: "out-of-memory", message: text(answer.message) || "the code used all of its memory" };
  }
  const state = readState(answer.state);
  if (answer.kind === "returned") {
    const edited = readEdited(answer.edited, call.positional?.length ?? 0);
    const returnType = text(answer.returnType);
    return { ...record, kind: "returned", value: answer.value ?? null, returnType, edited, state };
  }
  const frames = Array.isArray(answer.frames) ? readFrames(answer.frames, call) : [];
  return { ...record, kind: "raised", type: text(answer.type), message: text(answer.message), frames, state };
}

function readState(state: JsonValue | undefined): { set: JsonObject; removed: string[] } {
  const { set, removed } = isJsonObject(state) ? state : {};
  return { set: isJsonObject(set) ? set : {}, removed: Array.isArray(removed) ? removed.map(String) : [] };
}

function readEdited(pairs: JsonValue | undefined, count: number): (JsonValue | undefined)[] {
  const edited = new Array<JsonValue | undefined>(count).fill(undefined);
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    if (Array.isArray(pair) && typeof pair[0] === "number" && pair[0] in edited) edited[pair[0]] = pair[1];
  }
  return edited;
}

/** Frames are in the user's own file, whose text is here: the guest tells the line, the source is looked up. */
function readFrames(frames: JsonArray, { filename, code }: PythonCall): PythonFrame[] {
  const lines = code.split("\n");
  return frames.filter(isJsonObject).map((frame) => {
    const line = Number(frame.line) || 1;
    return { filename, line, function: text(frame.function), source: (lines[line - 1] ?? "").trim() };
  });
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
