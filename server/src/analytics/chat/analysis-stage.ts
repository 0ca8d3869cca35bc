import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AnalysisEventSchema } from "@frontdesk/protos/gda/data_chat_service";
import { isJsonObject, type JsonObject, type JsonValue, textOrJson } from "#base";
import type { PythonOutcome } from "#sandbox";
import type { Column, ResultSet } from "#warehouse";
import { verifyFinding } from "../verification/verify-numbers.ts";
import type { Results, Stage, Turn } from "./turn.ts";

type Event = NonNullable<MessageInitShape<typeof AnalysisEventSchema>["kind"]>;

/** Corrected programs after the first one. */
const REPAIRS = 2;
/** Rows that go into the interpreter; the API speaks of the order of a hundred thousand. */
const MAX_ROWS = 100_000;
const LIMITS = { cpuMs: 20_000, wallMs: 30_000 };

/** A turn as an analysis needs it, and who writes its programs. */
export interface AnalysisTurn extends Pick<Turn, "write" | "history" | "deps" | "request"> {
  readonly writeProgram: (
    instruction: string,
    results: Results,
    failed: readonly { readonly code: string; readonly error: string }[],
  ) => Promise<string>;
}

/** Runs a Python program over the rows in the sandbox. Returns its finding in words; "" for none. */
export async function* analysisStage(turn: AnalysisTurn, instruction: string, results: Results): Stage<string> {
  turn.write.setActivity("Analysing the rows");
  const { writeProgram, write, history } = turn;
  write.nextGroup();
  const say = (kind: Event) =>
    write.message({ case: "analysis", value: { kind: { case: "progressEvent", value: { kind } } } });
  const dataResultNames = results.map(({ name }) => name);
  yield write.message({
    case: "analysis",
    value: { kind: { case: "query", value: { question: history.question, dataResultNames } } },
  });
  yield say({ case: "plannerReasoning", value: `The question needs more than SQL: ${instruction}` });
  yield say({ case: "coderInstruction", value: instruction });
  const failed: { code: string; error: string }[] = [];
  for (;;) {
    const code = await writeProgram(instruction, results, failed);
    yield say({ case: "code", value: code });
    const outcome = await runAnalysis(turn, code, results);
    const printed = outcome.output.map(({ text }) => text).join("\n");
    if (printed) yield say({ case: "executionOutput", value: printed });
    if (outcome.kind === "returned") {
      yield* found(outcome.value, dataResultNames).map(say);
      return verifyFinding(
        textOf(outcome.value),
        results.map(({ result }) => result),
        code,
      );
    }
    const error = errorOf(outcome);
    yield say({ case: "executionError", value: error });
    failed.push({ code, error });
    if (failed.length > REPAIRS) {
      yield say({ case: "error", value: `The analysis was given up after ${failed.length} programs: ${error}` });
      return "";
    }
  }
}

/** Rows reach the program as one argument: nothing of the machine does. */
function runAnalysis({ deps, request }: AnalysisTurn, code: string, results: Results): Promise<PythonOutcome> {
  const rows = Object.fromEntries(results.map(({ name, result }) => [name, toRecords(result)]));
  return deps.sandbox.run(
    {
      code,
      filename: "analysis.py",
      entry: "analyze",
      positional: [{ kind: "json", value: rows }],
      toolNames: [],
      context: { invocationId: "", agentName: "", sessionId: "", state: {}, userContent: null, events: [] },
    },
    {
      tenant: tenantOf(request),
      turn: deps.ids.uuid(),
      limits: LIMITS,
      signal: request.signal,
      onHostCall: async () => ({ status: 403, reason: "An analysis may not leave its rows.", text: "" }),
    },
  );
}

/** Programs of one data agent, or of one caller with a context of its own, wait for each other and for nobody else's (PY-49). */
function tenantOf({ agent, caller }: AnalysisTurn["request"]): string {
  return agent ?? `analytics of ${caller?.principal ?? ""}`;
}

function toRecords({ columns, rows }: ResultSet): JsonValue {
  return rows
    .slice(0, MAX_ROWS)
    .map((row) => Object.fromEntries(columns.map((column, at) => [column.name, toPython(column, row[at] ?? null)])));
}

/** Cells are texts on the wire; a program wants numbers and truth values. */
function toPython({ type, mode }: Column, cell: JsonValue): JsonValue {
  if (typeof cell !== "string" || mode === "REPEATED") return cell;
  if (type === "BOOL") return cell === "true";
  const isNumber = type === "INT64" || type === "FLOAT64" || type === "NUMERIC" || type === "BIGNUMERIC";
  const number = Number(cell);
  return isNumber && Number.isFinite(number) ? number : cell;
}

/** What a program found; a reference is to one of the results that it was given. */
function found(value: JsonValue, results: readonly string[]): readonly Event[] {
  if (!isJsonObject(value)) return [{ case: "resultNaturalLanguage", value: textOf(value) }];
  const { csv, vega, reference } = value;
  const text = textOf(value);
  return [
    ...(Array.isArray(csv) ? [{ case: "resultCsvData" as const, value: toCsv(csv.filter(isJsonObject)) }] : []),
    ...(vega !== undefined && isJsonObject(vega)
      ? [{ case: "resultVegaChartJson" as const, value: JSON.stringify(vega) }]
      : []),
    ...(typeof reference === "string" && results.includes(reference)
      ? [{ case: "resultReferenceData" as const, value: reference }]
      : []),
    ...(text ? [{ case: "resultNaturalLanguage" as const, value: text }] : []),
  ];
}

function textOf(value: JsonValue): string {
  if (!isJsonObject(value)) return value === null ? "" : textOrJson(value);
  return typeof value.text === "string" ? value.text : "";
}

function toCsv(rows: readonly JsonObject[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: JsonValue | undefined) => {
    const text = value === undefined || value === null ? "" : textOrJson(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names.map(cell).join(","), ...rows.map((row) => names.map((name) => cell(row[name])).join(","))].join("\r\n");
}

function errorOf(outcome: Exclude<PythonOutcome, { kind: "returned" }>): string {
  if (outcome.kind !== "raised") return outcome.message;
  const frame = outcome.frames.at(-1);
  return `${outcome.type}: ${outcome.message}${frame ? ` (line ${frame.line}: ${frame.source})` : ""}`;
}
