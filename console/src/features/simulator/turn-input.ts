import type { JsonObject } from "@bufbuild/protobuf";
import type { Message } from "@frontdesk/protos/ces/example";
import type { SessionInput } from "@frontdesk/protos/ces/session_service";

/** A picture or another file that goes along with a turn. */
export interface TurnFile {
  readonly name: string;
  readonly mimeType: string;
  readonly data: Uint8Array;
}

/** The result of one client function. */
export interface ClientResult {
  /** Id of the call it answers. */
  readonly id: string;
  /** Resource name of the tool; "" for one of a toolset. */
  readonly tool: string;
  readonly displayName: string;
  readonly response: JsonObject;
}

/** One thing that is sent to the agent. */
export type TurnPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "event"; readonly event: string }
  | { readonly kind: "keys"; readonly digits: string }
  | { readonly kind: "file"; readonly file: TurnFile }
  | { readonly kind: "variables"; readonly values: JsonObject }
  | { readonly kind: "results"; readonly results: readonly ClientResult[] };

/** What the person did in a turn: what was sent together. */
export type TurnInput = readonly TurnPart[];

/** The image types that agents accept as images (Image, example.proto); other files go as blobs. */
export const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp"];

/** The input as the API takes it. */
export function toSessionInputs(input: TurnInput): Pick<SessionInput, "inputType">[] {
  return input.map((part) => ({ inputType: inputTypeOf(part) }) as Pick<SessionInput, "inputType">);
}

function inputTypeOf(part: TurnPart): object {
  switch (part.kind) {
    case "text":
      return { case: "text", value: part.text };
    case "event":
      return { case: "event", value: { event: part.event } };
    case "keys":
      return { case: "dtmf", value: part.digits };
    case "file": {
      const { mimeType, data } = part.file;
      return { case: IMAGE_TYPES.includes(mimeType) ? "image" : "blob", value: { mimeType, data } };
    }
    case "variables":
      return { case: "variables", value: part.values };
    case "results":
      return {
        case: "toolResponses",
        value: {
          toolResponses: part.results.map(({ id, tool, response }) => ({
            id,
            response,
            toolIdentifier: tool ? { case: "tool", value: tool } : { case: undefined },
          })),
        },
      };
  }
}

/** What the user's recorded messages say was sent; the engine's own words for events and keys are read back. */
export function recordedInput(messages: readonly Message[]): TurnInput {
  return messages
    .filter(({ role }) => role === "user")
    .flatMap(({ chunks }) =>
      chunks.flatMap(({ data }): TurnPart[] => {
        switch (data.case) {
          case "text":
            return [readText(data.value)];
          case "transcript":
            return [{ kind: "text", text: data.value }];
          case "image":
          case "blob":
            return [{ kind: "file", file: { name: "", mimeType: data.value.mimeType, data: data.value.data } }];
          case "toolResponse": {
            const { id, displayName, response = {}, toolIdentifier } = data.value;
            const tool = toolIdentifier.case === "tool" ? toolIdentifier.value : "";
            return [{ kind: "results", results: [{ id, tool, displayName, response }] }];
          }
          default:
            return [];
        }
      }),
    );
}

const EVENT = /^<event>([^<]*)<\/event>$/;

function readText(text: string): TurnPart {
  const event = EVENT.exec(text)?.[1];
  if (event === undefined) return { kind: "text", text };
  return { kind: "event", event: event === "session start" ? "welcome" : event };
}

/** The words of an input, for a message box that takes them back and for lists. */
export function inputText(input: TurnInput): string {
  return input.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
}
