import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ModelPart } from "#models";
import type { TurnEvent } from "../contract.ts";
import type { ChunkInit, SignedChunks } from "./recorder.ts";
import { CUSTOMIZED_RESPONSE, readSpeechSettings, type SpeechSettings } from "./speech-settings.ts";
import type { TurnRun } from "./turn-context.ts";

/** A part of an answer: how it is recorded, and what the client gets of it. */
export interface SpokenPart {
  readonly chunk: ChunkInit;
  readonly output: OutputInit | undefined;
  readonly speech?: SpeechSettings;
}

type OutputInit = NonNullable<MessageInitShape<typeof SessionOutputSchema>["outputType"]>;

/** Says parts to the client and records them as the active agent's words; function calls among them are left out. */
export async function* say(turn: TurnRun, parts: readonly ModelPart[]): AsyncGenerator<TurnEvent, void> {
  for (const part of parts) yield* emit(turn, part, false);
  const chunks = parts.flatMap((part) => spokenPart(part)?.chunk ?? []);
  yield* record(turn, turn.agent.displayName, chunks);
}

/** What the client gets of a part; nothing for calls and for what only the record keeps. */
export function* emit(turn: TurnRun, part: ModelPart, alreadyStreamed: boolean): Generator<TurnEvent, void> {
  const { output, speech } = spokenPart(part) ?? {};
  if (output) yield { ...outputEvent(turn, output, alreadyStreamed), ...(speech && { speech }) };
}

/** One output for the client. */
export function outputEvent(
  turn: TurnRun,
  outputType: OutputInit,
  alreadyStreamed = false,
): Extract<TurnEvent, { kind: "output" }> {
  turn.spoke = true;
  const output = create(SessionOutputSchema, { outputType, turnIndex: turn.turnIndex });
  return { kind: "output", output, alreadyStreamed };
}

/**
 * Adds a message to the conversation, and to it what changed of the variables since the last one (CONV-3): in front, but behind the
 * results of tools, which providers want right after their calls, and behind the defaults it changes.
 */
export function* record(
  turn: TurnRun,
  role: string,
  chunks: readonly ChunkInit[],
  signed?: SignedChunks,
): Generator<TurnEvent, void> {
  const updated = turn.variables.takeUpdated();
  const all = updated ? withUpdate(chunks, { case: "updatedVariables", value: updated }) : chunks;
  if (all.length > 0) yield { kind: "message", message: turn.recorder.record(role, all, signed) };
}

function withUpdate(chunks: readonly ChunkInit[], update: ChunkInit): readonly ChunkInit[] {
  const goesFirst = (chunk: ChunkInit) => chunk?.case === "toolResponse" || chunk?.case === "defaultVariables";
  return [...chunks.filter(goesFirst), update, ...chunks.filter((chunk) => !goesFirst(chunk))];
}

/** How a part is said; undefined for what is no speech (calls, empty text). */
export function spokenPart(part: ModelPart): SpokenPart | undefined {
  if (part.kind === "text") return spokenText(part.text);
  if (part.kind !== "blob") return undefined;
  if (!part.mimeType.startsWith("application/json")) return spokenBlob(part);
  const payload = parseJson(part.data);
  if (part.mimeType === CUSTOMIZED_RESPONSE && isJsonObject(payload)) {
    const text = spokenText(String(payload.content ?? ""));
    return text && { ...text, speech: readSpeechSettings(payload) };
  }
  const value: JsonObject = isJsonObject(payload) ? payload : { value: payload };
  return { chunk: { case: "payload", value }, output: { case: "payload", value } };
}

function spokenText(text: string): SpokenPart | undefined {
  return text === "" ? undefined : { chunk: { case: "text", value: text }, output: { case: "text", value: text } };
}

/** Of raw bytes, the wire has an output for audio only; others are kept in the record. */
function spokenBlob({ mimeType, data }: Extract<ModelPart, { kind: "blob" }>): SpokenPart {
  const output: OutputInit | undefined = mimeType.startsWith("audio/") ? { case: "audio", value: data } : undefined;
  return { chunk: { case: "blob", value: { mimeType, data } }, output };
}

/** A payload that is no JSON after all goes on as the text it is. */
function parseJson(data: Uint8Array): JsonValue {
  const text = new TextDecoder().decode(data);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
