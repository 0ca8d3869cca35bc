import type { DataMessage, DataResult, Message } from "@frontdesk/protos/gda/data_chat_service";
import { TextMessage_TextType as TextType } from "@frontdesk/protos/gda/data_chat_service";
import { invalidArgument } from "#status";
import type { PastResult, PastTurn } from "../plan/planner.ts";

/** A conversation as a turn needs it. */
export interface History {
  readonly question: string;
  readonly past: readonly PastTurn[];
  /** Rows that were shown, oldest first; of two with one name the later. */
  readonly results: readonly DataResult[];
}

/** Reads the messages of a request (CA-8): all except the last are earlier turns; clients may have left some out. */
export function readHistory(messages: readonly Message[]): History {
  const last = messages.at(-1);
  const question = last ? userText(last) : undefined;
  if (question === undefined || question.trim() === "") {
    throw invalidArgument({ field: "messages", description: "the last message must be a user message with a text" });
  }
  if (question.length > MAX_QUESTION) {
    const description = `the question has ${question.length} characters; the limit is ${MAX_QUESTION}`;
    throw invalidArgument({ field: "messages", description });
  }
  const results = messages.flatMap((message) => resultOf(message) ?? []);
  return { question: question.trim(), past: pastTurns(messages.slice(0, -1)), results };
}

/** Most characters of a question (CA-31). Of a longer one before it, as many are read. */
const MAX_QUESTION = 10_000;

function pastTurns(messages: readonly Message[]): readonly PastTurn[] {
  const turns: { question: string; answer: string; results: PastResult[] }[] = [];
  let found: Pick<PastResult, "sql" | "looker"> = { sql: "" };
  for (const message of messages) {
    const question = userText(message);
    if (question !== undefined) turns.push({ question: question.slice(0, MAX_QUESTION), answer: "", results: [] });
    const turn = turns.at(-1);
    if (!turn || message.kind.case !== "systemMessage") continue;
    const { kind } = message.kind.value;
    if (kind.case === "data") found = queryOf(kind.value) ?? found;
    const result = resultOf(message);
    if (result)
      turn.results.push({ name: result.name, ...found, columns: result.schema?.fields.map(({ name }) => name) ?? [] });
    if (kind.case === "text" && isAnswer(kind.value.textType)) turn.answer += kind.value.parts.join("");
  }
  return turns;
}

/** The query of a message. Older servers sent Looker queries outside `data.query`. */
function queryOf({ kind }: DataMessage): Pick<PastResult, "sql" | "looker"> | undefined {
  if (kind.case === "generatedSql") return { sql: kind.value };
  if (kind.case === "generatedLookerQuery") return { sql: "", looker: kind.value };
  if (kind.case === "query" && kind.value.queryType.case === "looker")
    return { sql: "", looker: kind.value.queryType.value };
  return undefined;
}

/** Older clients send answers without a type. */
function isAnswer(type: TextType): boolean {
  return type === TextType.FINAL_RESPONSE || type === TextType.TEXT_TYPE_UNSPECIFIED;
}

function userText({ kind }: Message): string | undefined {
  return kind.case === "userMessage" && kind.value.kind.case === "text" ? kind.value.kind.value : undefined;
}

function resultOf({ kind }: Message): DataResult | undefined {
  if (kind.case !== "systemMessage" || kind.value.kind.case !== "data") return undefined;
  const { kind: data } = kind.value.kind.value;
  return data.case === "result" ? data.value : undefined;
}
