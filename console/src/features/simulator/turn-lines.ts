import type { JsonObject } from "@bufbuild/protobuf";
import type { Chunk, Message } from "@frontdesk/protos/ces/example";
import { resourceId } from "../../api/resource-names.ts";
import type { Turn } from "./turn.ts";
import type { TurnFile } from "./turn-input.ts";

/** A line of a turn: an output of an agent, or a step. */
export type TurnLine =
  | { readonly kind: "text"; readonly key: string; readonly role: string; readonly text: string }
  | { readonly kind: "payload"; readonly key: string; readonly payload: JsonObject }
  | { readonly kind: "file"; readonly key: string; readonly file: TurnFile }
  | {
      readonly kind: "tool";
      readonly key: string;
      readonly name: string;
      readonly args: JsonObject;
      /** Undefined until the call has a response. */
      readonly response: JsonObject | undefined;
    }
  | { readonly kind: "transfer"; readonly key: string; readonly from: string; readonly to: string }
  | { readonly kind: "variables"; readonly key: string; readonly values: JsonObject };

/** What a turn shows below its input: the recorded messages, or the output streamed so far. */
export function turnLines({ messages, streamed }: Turn): readonly TurnLine[] {
  if (messages.length === 0)
    return streamed.map((piece, at) =>
      piece.kind === "text" ? { kind: "text", key: `s${at}`, role: "", text: piece.text } : { ...piece, key: `s${at}` },
    );
  const responses = responsesOf(messages);
  const recorded = messages.flatMap(({ role, chunks }, at) =>
    chunks.flatMap((chunk, index) => lineOf(role, chunk, `${at}.${index}`, responses)),
  );
  return recorded.some(({ kind }) => kind === "payload") ? recorded : [...recorded, ...widgetsOf(streamed)];
}

/** Widgets are streamed as payloads and recorded as calls only. */
function widgetsOf(streamed: Turn["streamed"]): readonly TurnLine[] {
  return streamed.flatMap((piece, at): TurnLine[] =>
    piece.kind === "payload" ? [{ kind: "payload", key: `s${at}`, payload: piece.payload }] : [],
  );
}

function responsesOf(messages: readonly Message[]): ReadonlyMap<string, JsonObject> {
  return new Map(
    messages.flatMap(({ chunks }) =>
      chunks.flatMap(({ data }): [string, JsonObject][] =>
        data.case === "toolResponse" ? [[data.value.id, data.value.response ?? {}]] : [],
      ),
    ),
  );
}

function lineOf(
  role: string,
  { data }: Chunk,
  key: string,
  responses: ReadonlyMap<string, JsonObject>,
): readonly TurnLine[] {
  const own = role === "user";
  switch (data.case) {
    case "text":
    case "transcript":
      return own || data.value === "" ? [] : [{ kind: "text", key, role, text: data.value }];
    case "toolCall": {
      const { id, displayName, args = {} } = data.value;
      return [{ kind: "tool", key, name: displayName, args, response: responses.get(id) }];
    }
    case "agentTransfer":
      return [{ kind: "transfer", key, from: role, to: data.value.displayName || resourceId(data.value.targetAgent) }];
    case "updatedVariables":
      return [{ kind: "variables", key, values: data.value }];
    case "payload":
      return [{ kind: "payload", key, payload: data.value }];
    case "image":
    case "blob":
      return own
        ? []
        : [{ kind: "file", key, file: { name: "", mimeType: data.value.mimeType, data: data.value.data } }];
    default:
      return [];
  }
}
