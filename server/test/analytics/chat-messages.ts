import { create } from "@bufbuild/protobuf";
import { type Message, MessageSchema, TextMessage_TextType as TextType } from "@frontdesk/protos/gda/data_chat_service";
import type { JsonObject } from "#base";

export function asked(text: string): Message {
  return create(MessageSchema, { kind: { case: "userMessage", value: { kind: { case: "text", value: text } } } });
}

export function kindOf({ kind }: Message): string {
  if (kind.case !== "systemMessage") return "user";
  const { value, case: name } = kind.value.kind;
  if (name === "text") return TextType[value.textType] ?? "";
  if (name === "schema" || name === "data" || name === "chart") return `${name}.${value.kind.case}`;
  if (name === "analysis")
    return value.kind.case === "progressEvent" ? `analysis.${value.kind.value.kind.case}` : "analysis.query";
  return name ?? "";
}

export function groupOf({ kind }: Message): number | undefined {
  return kind.case === "systemMessage" ? kind.value.groupId : undefined;
}

export function errorOf({ kind }: Message): readonly string[] {
  return kind.case === "systemMessage" && kind.value.kind.case === "error" ? [kind.value.kind.value.text] : [];
}

export function rowsOf({ kind }: Message): readonly (readonly JsonObject[])[] {
  if (kind.case !== "systemMessage" || kind.value.kind.case !== "data") return [];
  const { kind: data } = kind.value.kind.value;
  return data.case === "result" ? [data.value.data as JsonObject[]] : [];
}

export function finalText(messages: readonly Message[]): string {
  return messages
    .flatMap(({ kind }) =>
      kind.case === "systemMessage" &&
      kind.value.kind.case === "text" &&
      kind.value.kind.value.textType === TextType.FINAL_RESPONSE
        ? kind.value.kind.value.parts
        : [],
    )
    .join("");
}
