import { toJson } from "@bufbuild/protobuf";
import {
  type DataQuery,
  type Message,
  DataQuery_Origin as Origin,
  type SystemMessage,
  TextMessage_TextType as TextType,
} from "@frontdesk/protos/gda/data_chat_service";
import { ModelQuerySchema } from "@frontdesk/protos/gda/model_query";
import type { JsonObject } from "#base";

/** The answer to one question to data, collected from its messages. */
export interface DataAnswer {
  /** Markdown; "" when the question was not answered. */
  readonly text: string;
  /** The last statement; those before it failed. */
  readonly sql: string;
  /** Where that comes from, as the name of a `DataQuery.Origin`. */
  readonly origin: string;
  /** The query of the semantic model in words; "" where the statement is of none. */
  readonly words: string;
  /** The same in parts, as JSON of the API. */
  readonly modelQuery?: JsonObject;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly JsonObject[];
  readonly chart?: { readonly config: JsonObject; readonly image: Uint8Array };
  /** Steps that failed on the way, and doubts about the answer; it may be right all the same. */
  readonly warnings: readonly string[];
  readonly followUps: readonly string[];
}

type Draft = { -readonly [Part in keyof DataAnswer]: DataAnswer[Part] };

/** Reads a stream to its end; `progress` gets thoughts and progress messages. */
export async function readAnswer(
  messages: AsyncIterable<Message>,
  progress: (text: string) => void,
): Promise<DataAnswer> {
  const answer: Draft = {
    text: "",
    sql: "",
    origin: "",
    words: "",
    columns: [],
    rows: [],
    warnings: [],
    followUps: [],
  };
  for await (const { kind } of messages) {
    if (kind.case === "systemMessage") take(answer, kind.value, progress);
  }
  return answer;
}

function takeQuery(answer: Draft, { origin, words, modelQuery }: DataQuery): void {
  answer.origin = Origin[origin];
  answer.words = words;
  if (modelQuery) answer.modelQuery = toJson(ModelQuerySchema, modelQuery) as JsonObject;
  else delete answer.modelQuery;
}

function take(answer: Draft, { kind }: SystemMessage, progress: (text: string) => void): void {
  switch (kind.case) {
    case "text": {
      const { parts, textType, warnings } = kind.value;
      answer.warnings = [...answer.warnings, ...warnings];
      if (textType === TextType.FINAL_RESPONSE || textType === TextType.TEXT_TYPE_UNSPECIFIED)
        answer.text += parts.join("");
      else if (textType === TextType.FOLLOWUP_QUESTIONS) answer.followUps = parts;
      else progress(parts.at(-1) ?? "");
      return;
    }
    case "error":
      answer.warnings = [...answer.warnings, kind.value.text];
      return;
    case "data": {
      const data = kind.value.kind;
      if (data.case === "query") takeQuery(answer, data.value);
      if (data.case === "generatedSql") answer.sql = data.value;
      if (data.case !== "result") return;
      answer.columns = data.value.schema?.fields.map(({ name, type }) => ({ name, type })) ?? [];
      answer.rows = data.value.data as readonly JsonObject[];
      return;
    }
    case "chart": {
      const chart = kind.value.kind;
      if (chart.case !== "result") return;
      answer.chart = {
        config: (chart.value.vegaConfig ?? {}) as JsonObject,
        image: chart.value.image?.data ?? new Uint8Array(),
      };
      return;
    }
    default:
      return;
  }
}
