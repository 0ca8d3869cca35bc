import { readFile } from "node:fs/promises";
import { create, fromJson, type JsonValue as ProtoJson, toJson } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { type AppSnapshot, AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import {
  SessionConfigSchema,
  SessionInputSchema,
  type SessionOutput,
  SessionOutputSchema,
} from "@frontdesk/protos/ces/session_service";
import { LineCounter, parseAllDocuments } from "yaml";
import { isJsonObject, systemClock, systemIds, yamlValue } from "#base";
import { createResources, packFolder } from "#resources";
import type { Sandbox } from "#sandbox";
import type { SessionEngine } from "#session";
import { failedPrecondition } from "#status";
import type { Storage } from "#storage";
import type { Tools } from "#tools";
import { toRecordedError } from "./calls.ts";
import { type OfflineConfig, openOfflineEngine } from "./offline-engine.ts";
import { type Difference, Player, show } from "./player.ts";
import type { RecordedApp, RecordedDocument, RecordedError, RecordedTurn } from "./recording.ts";

/** The recording to replay. */
interface ReplayRequest {
  /** Path of the recording. */
  readonly file: string;
  /** Folder of an app package to run instead of the recorded app. */
  readonly app?: string;
}

interface Replay {
  readonly turns: number;
  /** The first difference; undefined when there is none. */
  readonly difference: Difference | undefined;
}

/**
 * Replays a recorded conversation on an engine of its own, without network: models and tools return recorded results, the code of
 * callbacks runs. Stops at the first difference. FAILED_PRECONDITION for a file that is not a recording.
 */
export async function replay({ file, app }: ReplayRequest, config: OfflineConfig): Promise<Replay> {
  const documents = readRecording(await readFile(file, "utf8"), file);
  const player = new Player();
  const { models, dialogflow } = player;
  const outside = { models, dialogflow, tools: (own: Tools) => player.tools(own), now: () => player.time };
  await using offline = await openOfflineEngine(outside, config);
  const { storage, sandbox, engine } = offline;
  const replacement = app === undefined ? undefined : await importFolder(app, appName(documents), storage, sandbox);
  return await play(documents, replacement, engine, player);
}

function readRecording(text: string, file: string): readonly RecordedDocument[] {
  const lines = new LineCounter();
  const values = [...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false })].map((document) => {
    const [fault] = document.errors;
    const found = fault ? { problem: fault.message, offset: fault.pos[0] } : yamlValue(document);
    if (!("problem" in found)) return found.value as RecordedDocument;
    throw failedPrecondition(`${file}:${lines.linePos(found.offset).line}: is not a recording: ${found.problem}`);
  });
  const [first] = values;
  if (first?.kind !== "app")
    throw failedPrecondition(`${file} is not a recording: it must begin with a document of the kind 'app'.`);
  const opening = values.find((document) => document.kind === "turn")?.outputs[0];
  if (isJsonObject(opening) && Number(opening.turnIndex) > 1)
    throw failedPrecondition(`${file} starts in the middle of a conversation and cannot be replayed.`);
  return values;
}

function appName(documents: readonly RecordedDocument[]): string {
  const [first] = documents;
  const session = first?.kind === "app" ? first.session : "";
  return session.slice(0, session.indexOf("/sessions/"));
}

async function importFolder(folder: string, name: string, storage: Storage, sandbox: Sandbox): Promise<AppSnapshot> {
  const inspectPython = (code: string) => sandbox.inspect(code);
  const resources = createResources({ store: storage.resources, clock: systemClock, ids: systemIds, inspectPython });
  const { zip } = await packFolder(folder, systemClock.now());
  const at = name.lastIndexOf("/apps/");
  const app = { case: "appContent", value: zip } as const;
  const request = create(ImportAppRequestSchema, {
    parent: name.slice(0, at),
    appId: name.slice(at + "/apps/".length),
    app,
  });
  await resources.packages.importApp(request);
  return (await resources.snapshots.draft(name)).snapshot;
}

async function play(
  documents: readonly RecordedDocument[],
  replacement: AppSnapshot | undefined,
  engine: SessionEngine,
  player: Player,
): Promise<Replay> {
  for (const document of documents) if (document.kind === "late") player.late(document.tools);
  let app: RecordedApp | undefined;
  let snapshot = replacement;
  let turns = 0;
  for (const document of documents) {
    if (document.kind === "app") {
      app = document;
      snapshot =
        replacement ?? fromJson(AppSnapshotSchema, document.snapshot as ProtoJson, { ignoreUnknownFields: true });
    }
    if (document.kind !== "turn" || !app || !snapshot) continue;
    turns += 1;
    player.time = Date.parse(document.time);
    await player.begin(turns, document);
    const generation = `${replacement ? "given" : "recorded"} ${turns}`;
    const result = await runTurn(document, app.session, snapshot, generation, engine);
    player.finish();
    compare(document, result, player);
    if (player.difference) break;
  }
  return { turns, difference: player.difference };
}

/** What the client got. */
interface TurnResult {
  readonly outputs: readonly unknown[];
  readonly error: RecordedError | undefined;
}

async function runTurn(
  { config, inputs, onStream, awaitsClient }: RecordedTurn,
  session: string,
  snapshot: AppSnapshot,
  generation: string,
  engine: SessionEngine,
): Promise<TurnResult> {
  const outputs: SessionOutput[] = [];
  const outputsAsJson = () => outputs.map((output) => toJson(SessionOutputSchema, output));
  const events = engine.runTurn({
    session,
    config: fromJson(SessionConfigSchema, config as ProtoJson),
    inputs: inputs.map((input) => fromJson(SessionInputSchema, input as ProtoJson)),
    snapshot: { snapshot, generation, appVersion: "", deployment: "" },
    source: Conversation_Source.SIMULATOR,
    streamText: false,
    onStream,
    awaitsClient,
    signal: new AbortController().signal,
  });
  try {
    for await (const event of events) if (event.kind === "output") outputs.push(event.output);
    return { outputs: outputsAsJson(), error: undefined };
  } catch (error) {
    return { outputs: outputsAsJson(), error: toRecordedError(error) };
  }
}

function compare({ outputs, refusal }: RecordedTurn, result: TurnResult, player: Player): void {
  const recorded = show({ outputs, refusal });
  const replayed = show({ outputs: result.outputs, refusal: result.error });
  if (recorded !== replayed) player.differ("the client gets other outputs than recorded", recorded, replayed);
}
