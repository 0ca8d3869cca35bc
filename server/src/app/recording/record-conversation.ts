import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toJson } from "@bufbuild/protobuf";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Conversation, Conversation_Turn } from "@frontdesk/protos/ces/conversation";
import { ChunkSchema, type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { SessionConfigSchema } from "@frontdesk/protos/ces/session_service";
import { createLogger } from "#base";
import type { SessionEngine, SnapshotRef, TurnEvent } from "#session";
import { failedPrecondition } from "#status";
import type { Tools, ToolsetMember } from "#tools";
import { recordedModels, recordedTools } from "./calls.ts";
import { ConversationSource } from "./from-conversation.ts";
import { type OfflineConfig, openOfflineEngine } from "./offline-engine.ts";
import { type Difference, show } from "./player.ts";
import { createSessionRecorder } from "./record-sessions.ts";
import { takeApart } from "./stored-turn.ts";

/** What is written down, and where. */
export interface RecordRequest {
  readonly conversation: Conversation;
  /** The app that held it: its version, or the draft as it is now. */
  readonly snapshot: AppSnapshot;
  /** What the toolsets hold that another server would have to tell, by resource name. */
  readonly toolsets: ReadonlyMap<string, readonly ToolsetMember[]>;
  readonly file: string;
}

export interface RecordedConversation {
  /** Turns in the file. */
  readonly turns: number;
  /** Why it ends before the conversation does; undefined when it is whole. */
  readonly difference: Difference | undefined;
}

/**
 * Makes a recording of a conversation that is stored already, by holding it once more: the app's callbacks and rules run, models and
 * tools say what was stored. The recording ends before the first turn that goes otherwise. FAILED_PRECONDITION for
 * conversations whose app redacts, since what was said is not there.
 */
export async function recordConversation(
  { conversation, snapshot, toolsets, file }: RecordRequest,
  config: OfflineConfig,
): Promise<RecordedConversation> {
  if (snapshot.app?.loggingSettings?.redactionConfig?.enableRedaction)
    throw failedPrecondition("The app redacts its conversations, so what was said cannot be recorded from them.");
  const source = new ConversationSource(toolsets);
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-record-"));
  const session = conversation.name.replace("/conversations/", "/sessions/");
  try {
    const recorder = createSessionRecorder(folder, { now: source.now }, createLogger("silent"));
    const { scope } = recorder;
    const models = recordedModels({ ...source.models, status: () => NO_STATUS, close: async () => {} }, scope);
    const tools = (own: Tools) => recordedTools(source.tools(own), scope);
    const { dialogflow, now } = source;
    await using offline = await openOfflineEngine({ models, tools, dialogflow, now }, config);
    const { appVersion, deployment } = conversation;
    const ref = { snapshot, generation: "recorded", appVersion, deployment };
    const held = await holdAgain(conversation, session, ref, recorder.record(offline.engine), source);
    await recorder.close();
    if (held.turns > 0) {
      const written = await readFile(`${join(folder, ...session.split("/"))}.yaml`, "utf8");
      await writeFile(file, firstTurns(written, held.turns), { mode: 0o600 });
    }
    return held;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NO_STATUS = { defaultModel: "", providers: [] };

async function holdAgain(
  conversation: Conversation,
  session: string,
  snapshot: SnapshotRef,
  engine: SessionEngine,
  source: ConversationSource,
): Promise<RecordedConversation> {
  let turns = 0;
  for (const turn of conversation.turns) {
    const parts = takeApart(turn);
    await source.begin(parts);
    const { entryAgent } = conversation;
    const events = engine.runTurn({
      session,
      config: create(SessionConfigSchema, { session, ...(turns === 0 && { entryAgent }) }),
      inputs: parts.inputs,
      snapshot,
      source: conversation.source,
      streamText: false,
      signal: new AbortController().signal,
    });
    const difference = compare(turn, await messagesOf(events, source), turns + 1, source);
    if (difference) return { turns, difference };
    turns += 1;
  }
  return { turns, difference: undefined };
}

/** What the engine recorded, or why the turn was refused. */
async function messagesOf(
  events: AsyncIterable<TurnEvent>,
  source: ConversationSource,
): Promise<readonly Message[] | string> {
  const messages: Message[] = [];
  try {
    for await (const event of events) {
      if (event.kind !== "message") continue;
      messages.push(event.message);
      source.recorded();
    }
    return messages;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function compare(
  { messages }: Conversation_Turn,
  again: readonly Message[] | string,
  turn: number,
  { problem }: ConversationSource,
): Difference | undefined {
  if (problem) return { turn, what: problem, recorded: "", replayed: "" };
  if (typeof again === "string") return { turn, what: `the turn was refused: ${again}`, recorded: "", replayed: "" };
  const recorded = show(messages.map(withoutTime));
  const replayed = show(again.map(withoutTime));
  return recorded === replayed ? undefined : { turn, what: "the turn goes otherwise than stored", recorded, replayed };
}

/** When it was said does not count, nor whether it was spoken: this time it is written. */
function withoutTime(message: Message) {
  const chunks = message.chunks.map(({ data }) =>
    create(ChunkSchema, { data: data.case === "transcript" ? { case: "text", value: data.value } : data }),
  );
  const { eventTime: _time, ...rest } = toJson(MessageSchema, { ...message, chunks }) as { eventTime?: string };
  return rest;
}

/** The documents of a recording up to its last whole turn. */
function firstTurns(recording: string, turns: number): string {
  const kept: string[] = [];
  let left = turns;
  for (const document of recording.split(/^---\n/m).filter(Boolean)) {
    if (/^kind: turn$/m.test(document) && left-- === 0) break;
    kept.push(`---\n${document}`);
  }
  return kept.join("");
}
