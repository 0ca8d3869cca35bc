import { Conversation_InputType as InputType } from "@frontdesk/protos/ces/conversation";
import type { JsonObject } from "#base";
import type { ConnectError } from "#status";
import type { TurnInput } from "./inputs.ts";

/** What a conversation by voice adds to a turn. Sound itself never reaches the engine, and is stored nowhere. */
export interface VoiceTurn {
  /** Whether the last text of the inputs is what was understood of the user's speech; texts before it tell of the channel. */
  readonly spoken: boolean;
  /** Work of the channel that led to the turn: recognition, an interruption. */
  readonly spans: readonly ChannelSpan[];
  /** Why the user's speech could not be understood. The app's error handling then answers instead of an agent. */
  readonly failure?: ConnectError | undefined;
  /** Resolves when the answer is spoken or cut off, as far as it was made; asked once, right before the turn is stored. */
  readonly said: () => Promise<readonly ChannelSpan[]>;
}

/** A piece of work that the channel did. Times are milliseconds since the epoch. */
export interface ChannelSpan {
  readonly name: "SpeechToText" | "TextToSpeech" | "Interruption";
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: JsonObject;
}

/** The input of a spoken turn: its words are recorded as a transcript, and guardrails judge them alone. */
export function asSpoken(input: TurnInput): TurnInput {
  const last = input.content.findLastIndex((chunk) => chunk?.case === "text");
  const words = input.content[last];
  if (words?.case !== "text" || typeof words.value !== "string") return input;
  return {
    ...input,
    content: input.content.with(last, { case: "transcript", value: words.value }),
    text: words.value,
    types: new Set([...input.types].map((type) => (type === InputType.TEXT ? InputType.AUDIO : type))),
  };
}
