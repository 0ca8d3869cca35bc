import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Conversation, Conversation_Turn as Turn } from "@frontdesk/protos/ces/conversation";
import type { Chunk, Message } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";
import { plainLine } from "../output/plain-line.ts";
import { styled } from "../output/style.ts";
import { notesText, type TurnNotes, turnNotes } from "../output/turn-notes.ts";

/** A turn as logs tell it. */
export interface TurnReport {
  /** The conversation's resource name. */
  readonly name: string;
  /** From 1. */
  readonly turn: number;
  /** When the turn began; undefined when no message of it says so. */
  readonly time: Date | undefined;
  /** Undefined: the turn has no trace. */
  readonly durationMs: number | undefined;
  readonly lines: readonly TurnLine[];
  /** Of its trace; none without one. */
  readonly notes: TurnNotes;
}

interface TurnLine {
  /** `user`, an agent's name, or `tool`. */
  readonly who: string;
  readonly text: string;
}

/** What was said and called in a turn of a conversation. `index`: from 0. */
export function turnReport({ name }: Pick<Conversation, "name">, turn: Turn, index: number): TurnReport {
  const { messages, rootSpan } = turn;
  const time = messages.find(({ eventTime }) => eventTime)?.eventTime ?? rootSpan?.startTime;
  const [start, end] = [rootSpan?.startTime, rootSpan?.endTime];
  return {
    name,
    turn: index + 1,
    time: time && timestampDate(time),
    durationMs: start && end ? timestampDate(end).getTime() - timestampDate(start).getTime() : undefined,
    lines: messages.flatMap(messageLines),
    notes: rootSpan ? turnNotes(rootSpan) : NO_NOTES,
  };
}

const NO_NOTES: TurnNotes = { errors: [], guarded: [], warnings: [], printed: [] };

function messageLines({ role, chunks }: Message): readonly TurnLine[] {
  return chunks.flatMap((chunk) => {
    const text = chunkText(chunk);
    return text === undefined ? [] : [{ who: isOfTool(chunk) ? "tool" : role, text }];
  });
}

function isOfTool({ data }: Chunk): boolean {
  return data.case === "toolCall" || data.case === "toolResponse";
}

/** Undefined: nothing that people read, such as variables. */
function chunkText({ data }: Chunk): string | undefined {
  switch (data.case) {
    case "text":
    case "transcript":
      return data.value === "" ? undefined : data.value;
    case "toolCall":
      return `${data.value.displayName || data.value.toolIdentifier.value} ${JSON.stringify(data.value.args ?? {})}`;
    case "toolResponse":
      return `→ ${JSON.stringify(data.value.response ?? {})}`;
    case "agentTransfer":
      return `→ ${data.value.displayName || data.value.targetAgent}`;
    case "payload":
      return `[payload ${JSON.stringify(data.value)}]`;
    case "image":
    case "blob":
      return `[${data.value.mimeType}, ${data.value.data.length} bytes]`;
    default:
      return undefined;
  }
}

/** Longest text of a line; a tool may answer with a page. */
const MAX_TEXT = 400;

/** A turn for people: a line for each thing that was said or called, then what failed. A failed tool has said so in its line. */
export function turnText({ name, turn, time, durationMs, lines, notes }: TurnReport): string {
  const id = name.slice(name.lastIndexOf("/") + 1);
  const took = durationMs === undefined ? "" : ` ${(durationMs / 1_000).toFixed(2)} s`;
  const heading = styled("dim", `${time?.toISOString().slice(0, 19).replace("T", " ") ?? "-"}  ${id} #${turn}${took}`);
  const width = Math.max(0, ...lines.map(({ who }) => who.length));
  const shown = lines.map(({ who, text }) => {
    const line = plainLine(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);
    return `  ${styled("bold", plainLine(who).padEnd(width))}  ${who === "tool" ? styled("dim", line) : line}`;
  });
  const failed = notes.errors.filter((error) => !error.startsWith("Tool "));
  return [heading, ...shown, notesText({ ...NO_NOTES, errors: failed, guarded: notes.guarded })]
    .filter(Boolean)
    .join("\n");
}

/** A turn for programs. */
export function turnValue({ time, durationMs, lines, notes, ...turn }: TurnReport): JsonObject {
  const timed = { time: time?.toISOString() ?? null, durationMs: durationMs ?? null };
  return { ...turn, ...timed, lines: lines.map((line) => ({ ...line })), notes: notesValue(notes) };
}

function notesValue({ errors, guarded, warnings, printed }: TurnNotes): JsonObject {
  return { errors: [...errors], guarded: [...guarded], warnings: [...warnings], printed: [...printed] };
}
