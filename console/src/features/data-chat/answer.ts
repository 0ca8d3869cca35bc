import type { JsonObject } from "@bufbuild/protobuf";
import type { Citation } from "@frontdesk/protos/gda/context";
import {
  type DataResult,
  type Message,
  type DataQuery_Origin as Origin,
  type SystemMessage,
  TextMessage_TextType as TextType,
} from "@frontdesk/protos/gda/data_chat_service";
import type { ModelQuery } from "@frontdesk/protos/gda/model_query";
import { citedText } from "./cited-text.ts";

/** A result set. */
export interface ResultSet {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly string[])[];
}

/** A piece of an answer, in the order in which it came. */
export type AnswerPart =
  | { readonly kind: "thought"; readonly title: string; readonly text: string }
  | { readonly kind: "query"; readonly origin: Origin; readonly words: string; readonly query: ModelQuery | undefined }
  | { readonly kind: "sql"; readonly sql: string }
  | { readonly kind: "rows"; readonly rows: ResultSet }
  | { readonly kind: "chart"; readonly config: JsonObject; readonly title: string }
  | { readonly kind: "analysis"; readonly label: string; readonly text: string; readonly code: boolean }
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "matched"; readonly question: string }
  | { readonly kind: "text"; readonly text: string; readonly citation?: Citation };

/** One question and what came back so far. */
export interface Answer {
  readonly question: string;
  readonly parts: readonly AnswerPart[];
  readonly followUps: readonly string[];
  /** What the server does at the moment; "" when nothing is known. */
  readonly progress: string;
}

export const NO_ANSWER: Omit<Answer, "question"> = { parts: [], followUps: [], progress: "" };

/** The answer with one more message of its stream. */
export function withMessage(answer: Answer, { kind }: Message): Answer {
  if (kind.case !== "systemMessage") return answer;
  const { value } = kind;
  if (value.kind.case === "text") {
    const { textType, parts } = value.kind.value;
    if (textType === TextType.FOLLOWUP_QUESTIONS) return { ...answer, followUps: parts };
    if (textType === TextType.PROGRESS) return { ...answer, progress: parts.join(" ") };
  }
  return { ...answer, parts: [...answer.parts, ...partsOf(value)] };
}

/** The answer as it was when the person had enough. */
export function stopped(answer: Answer): Answer {
  return { ...answer, parts: [...answer.parts, { kind: "thought", title: "Stopped", text: "" }] };
}

/** A stored conversation as questions with their answers, oldest first. */
export function answersOf(messages: readonly Message[]): readonly Answer[] {
  const answers: Answer[] = [];
  for (const message of messages) {
    if (message.kind.case === "userMessage") {
      answers.push({ question: message.kind.value.kind.value ?? "", ...NO_ANSWER });
      continue;
    }
    const last = answers.pop();
    if (last) answers.push(withMessage(last, message));
  }
  return answers;
}

function partsOf(message: SystemMessage): readonly AnswerPart[] {
  const { kind, citation } = message;
  switch (kind.case) {
    case "text": {
      const { parts, textType } = kind.value;
      if (textType === TextType.THOUGHT) {
        return [{ kind: "thought", title: parts[0] ?? "Thought", text: parts.slice(1).join("\n") }];
      }
      return [{ kind: "text", text: citedText(parts, citation), citation }];
    }
    case "data":
      return dataParts(kind.value);
    case "chart":
      return kind.value.kind.case === "result" && kind.value.kind.value.vegaConfig
        ? [
            {
              kind: "chart",
              config: kind.value.kind.value.vegaConfig,
              title: chartTitle(kind.value.kind.value.vegaConfig),
            },
          ]
        : [];
    case "analysis":
      return analysisParts(kind.value);
    case "error":
      return [{ kind: "error", text: kind.value.text }];
    case "schema": {
      const found = kind.value.kind.case === "result" ? kind.value.kind.value.datasources.length : 0;
      return found > 0
        ? [{ kind: "thought", title: `Read the schema of ${found} table${found === 1 ? "" : "s"}`, text: "" }]
        : [];
    }
    default:
      return [];
  }
}

type SystemKind = SystemMessage["kind"];

function dataParts({ kind }: Extract<SystemKind, { case: "data" }>["value"]): readonly AnswerPart[] {
  switch (kind.case) {
    case "query":
      return [{ kind: "query", origin: kind.value.origin, words: kind.value.words, query: kind.value.modelQuery }];
    case "generatedSql":
      return [{ kind: "sql", sql: kind.value }];
    case "matchedQuery":
      return [{ kind: "matched", question: kind.value.exampleQuery?.naturalLanguageQuestion ?? "" }];
    case "result":
      return [{ kind: "rows", rows: resultSetOf(kind.value) }];
    default:
      return [];
  }
}

/** What a person verifies or keeps of an answer: SQL, or a query of the semantic model. */
export type WrittenStatement = { readonly sqlQuery: string } | { readonly modelQuery: ModelQuery };

/** What the rows of an answer were found with last; undefined where there are none. */
export function statementOf({ parts }: Answer): WrittenStatement | undefined {
  if (!parts.some(({ kind }) => kind === "rows")) return undefined;
  const query = parts.findLast((part) => part.kind === "query")?.query;
  if (query) return { modelQuery: query };
  const sqlQuery = parts.findLast((part) => part.kind === "sql")?.sql;
  return sqlQuery ? { sqlQuery } : undefined;
}

/** What finds the rows of an answer again as it is: none where SQL has open parameters. */
export function repeatableStatementOf(answer: Answer): WrittenStatement | undefined {
  const statement = statementOf(answer);
  return statement && "sqlQuery" in statement && /@\w/.test(statement.sqlQuery) ? undefined : statement;
}

/** Rows of the API as texts. */
export function resultSetOf({ name, schema, data }: DataResult): ResultSet {
  const columns = (schema?.fields ?? []).map((field) => ({ name: field.name, type: field.type }));
  return { name, columns, rows: data.map((row) => columns.map((column) => cellText(row[column.name]))) };
}

const ANALYSIS_LABELS: Readonly<Record<string, string>> = {
  plannerReasoning: "Reasoning",
  coderInstruction: "Instruction",
  code: "Python",
  executionOutput: "Output",
  executionError: "Python error",
  resultNaturalLanguage: "Finding",
  resultCsvData: "Data",
  error: "Analysis failed",
};

function analysisParts({ kind }: Extract<SystemKind, { case: "analysis" }>["value"]): readonly AnswerPart[] {
  if (kind.case !== "progressEvent") return [];
  const event = kind.value.kind;
  if (event.case === undefined) return [];
  if (event.case === "resultVegaChartJson") return chartFromText(event.value);
  const label = ANALYSIS_LABELS[event.case] ?? event.case;
  return [
    {
      kind: "analysis",
      label,
      text: event.value,
      code: ["code", "executionOutput", "executionError", "resultCsvData"].includes(event.case),
    },
  ];
}

function chartFromText(text: string): readonly AnswerPart[] {
  try {
    const config: unknown = JSON.parse(text);
    if (typeof config !== "object" || config === null || Array.isArray(config)) return [];
    return [{ kind: "chart", config: config as JsonObject, title: chartTitle(config as JsonObject) }];
  } catch {
    return [{ kind: "error", text: "The analysis returned an invalid chart." }];
  }
}

function chartTitle({ title }: JsonObject): string {
  return typeof title === "string" ? title : "Chart";
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
