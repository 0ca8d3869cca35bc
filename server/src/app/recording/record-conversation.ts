import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toJson } from "@bufbuild/protobuf";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Conversation, Conversation_Turn } from "@frontdesk/protos/ces/conversation";
import { ChunkSchema, type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { SessionConfigSchema } from "@frontdesk/protos/ces/session_service";
import { createLogger, thrownMessage } from "#base";
import type { SessionEngine, SnapshotRef, TurnEvent } from "#session";
import { failedPrecondition } from "#status";
import type { Tools, ToolsetMember } from "#tools";
import { recordedModels, recordedTools } from "./calls.ts";
import { ConversationSource } from "./from-conversation.ts";
import { type OfflineConfig, openOfflineEngine } from "./offline-engine.ts";
import { type Difference, show } from "./player.ts";
import { createSessionRecorder } from "./record-sessions.ts";
import { partsOfTurn } from "./stored-turn.ts";
import { type SetByCallbacks, variablesThatDiffer } from "./variable-changes.ts";

/** The conversation to record, and the file. */
interface RecordRequest {
  readonly conversation: Conversation;
  /** The app of the conversation: its version, or the current draft. */
  readonly snapshot: AppSnapshot;
  /** The tools of the toolsets of other servers, by resource name. */
  readonly toolsets: ReadonlyMap<string, readonly ToolsetMember[]>;
  readonly file: string;
}

interface RecordedConversation {
  /** Turns in the file. */
  readonly turns: number;
  /** Why the recording ends before the conversation; undefined when it is complete. */
  readonly difference: Difference | undefined;
}

/** A run of the conversation, and what is to be left to callbacks in the next one. */
interface Run extends RecordedConversation {
  readonly differing: readonly string[];
}

/**
 * Creates a recording of a stored conversation by running it again: callbacks and transfer rules of the app run, models and tools return
 * what was stored. The recording ends before the first turn that differs. FAILED_PRECONDITION for apps that redact, because their
 * stored conversations are not complete.
 */
export async function recordConversation(request: RecordRequest, config: OfflineConfig): Promise<RecordedConversation> {
  if (request.snapshot.app?.loggingSettings?.redactionConfig?.enableRedaction)
    throw failedPrecondition("The app redacts its conversations, so what was said cannot be recorded from them.");
  const setByCallbacks = new Set<string>();
  while (true) {
    const { differing, ...recorded } = await recordRun(request, setByCallbacks, config);
    const found = differing.filter((variable) => !setByCallbacks.has(variable));
    if (found.length === 0) return recorded;
    for (const variable of found) setByCallbacks.add(variable);
  }
}

async function recordRun(
  { conversation, snapshot, toolsets, file }: RecordRequest,
  setByCallbacks: SetByCallbacks,
  config: OfflineConfig,
): Promise<Run> {
  const source = new ConversationSource(toolsets, setByCallbacks);
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
    const recorded = await runAgain(
      conversation,
      session,
      ref,
      recorder.record(offline.engine),
      source,
      setByCallbacks,
    );
    await recorder.close();
    if (recorded.turns > 0) {
      const written = await readFile(`${join(folder, ...session.split("/"))}.yaml`, "utf8");
      await writeFile(file, firstTurns(written, recorded.turns), { mode: 0o600 });
    }
    return recorded;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NO_STATUS = { defaultModel: "", providers: [] };

async function runAgain(
  conversation: Conversation,
  session: string,
  snapshot: SnapshotRef,
  engine: SessionEngine,
  source: ConversationSource,
  setByCallbacks: SetByCallbacks,
): Promise<Run> {
  let turns = 0;
  for (const turn of conversation.turns) {
    const parts = partsOfTurn(turn, setByCallbacks);
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
    const again = await messagesOf(events, source);
    const difference = compare(turn, again, turns + 1, source);
    const differing = typeof again === "string" ? [] : variablesThatDiffer(turn.messages, again);
    if (difference) return { turns, difference, differing };
    turns += 1;
  }
  return { turns, difference: undefined, differing: [] };
}

/** The messages of the turn, or the error that ended it. */
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
    return thrownMessage(error);
  }
}

function compare(
  { messages }: Conversation_Turn,
  again: readonly Message[] | string,
  turn: number,
  { problem }: ConversationSource,
): Difference | undefined {
  if (problem) return { turn, what: problem, recorded: "", replayed: "" };
  if (typeof again === "string") return { turn, what: `the turn failed: ${again}`, recorded: "", replayed: "" };
  const recorded = show(messages.map(withoutTime));
  const replayed = show(again.map(withoutTime));
  return recorded === replayed ? undefined : { turn, what: "the turn differs from the stored one", recorded, replayed };
}

/** Times are not compared, nor whether a text was spoken: this run has text only. */
function withoutTime(message: Message) {
  const chunks = message.chunks.map(({ data }) =>
    create(ChunkSchema, { data: data.case === "transcript" ? { case: "text", value: data.value } : data }),
  );
  const { eventTime: _time, ...rest } = toJson(MessageSchema, { ...message, chunks }) as { eventTime?: string };
  return rest;
}

/** The documents of a recording up to its last whole turn. */
function firstTurns(recording: string, turns: number): string {
  const documents: string[] = [];
  let remaining = turns;
  for (const document of recording.split(/^---\n/m).filter(Boolean)) {
    if (/^kind: turn$/m.test(document) && remaining-- === 0) break;
    documents.push(`---\n${document}`);
  }
  return documents.join("");
}
