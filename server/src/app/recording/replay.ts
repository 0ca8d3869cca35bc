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
import { parseAllDocuments } from "yaml";
import { isJsonObject, systemClock, systemIds } from "#base";
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

/** What is replayed. */
export interface ReplayRequest {
  /** Path of the recording. */
  readonly file: string;
  /** Folder of an app package that takes the recorded app's place. */
  readonly app?: string;
}

export interface Replay {
  readonly turns: number;
  /** Where it left the recording first; undefined when it did not. */
  readonly difference: Difference | undefined;
}

/**
 * Holds a recorded conversation again on an engine of its own, with no network: models and tools answer from the recording,
 * user code of callbacks runs. Stops at the first difference. FAILED_PRECONDITION for a file that is no recording.
 */
export async function replay({ file, app }: ReplayRequest, config: OfflineConfig): Promise<Replay> {
  const documents = readRecording(await readFile(file, "utf8"), file);
  const player = new Player();
  const { models, dialogflow } = player;
  const outside = { models, dialogflow, tools: (own: Tools) => player.tools(own), now: () => player.time };
  await using offline = await openOfflineEngine(outside, config);
  const { storage, sandbox, engine } = offline;
  const given = app === undefined ? undefined : await importFolder(app, appName(documents), storage, sandbox);
  return await play(documents, given, engine, player);
}

function readRecording(text: string, file: string): readonly RecordedDocument[] {
  const documents = parseAllDocuments(text);
  const values = [...documents].map((document) => document.toJS() as RecordedDocument);
  const [first] = values;
  if (first?.kind !== "app" || ![...documents].every(({ errors }) => errors.length === 0))
    throw failedPrecondition(`${file} is no recording: it must begin with a document of the kind 'app'.`);
  const opening = values.find((document) => document.kind === "turn")?.outputs[0];
  if (isJsonObject(opening) && Number(opening.turnIndex) > 1)
    throw failedPrecondition(`${file} begins in the middle of a conversation and cannot be replayed.`);
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
  given: AppSnapshot | undefined,
  engine: SessionEngine,
  player: Player,
): Promise<Replay> {
  for (const document of documents) if (document.kind === "late") player.late(document.tools);
  let app: RecordedApp | undefined;
  let snapshot = given;
  let turns = 0;
  for (const document of documents) {
    if (document.kind === "app") {
      app = document;
      snapshot = given ?? fromJson(AppSnapshotSchema, document.snapshot as ProtoJson, { ignoreUnknownFields: true });
    }
    if (document.kind !== "turn" || !app || !snapshot) continue;
    turns += 1;
    player.time = Date.parse(document.time);
    await player.begin(turns, document);
    const told = await runTurn(document, app.session, snapshot, `${given ? "given" : "recorded"} ${turns}`, engine);
    player.finish();
    compare(document, told, player);
    if (player.difference) break;
  }
  return { turns, difference: player.difference };
}

/** What the client was told. */
interface Told {
  readonly outputs: readonly unknown[];
  readonly refusal: RecordedError | undefined;
}

async function runTurn(
  { config, inputs }: RecordedTurn,
  session: string,
  snapshot: AppSnapshot,
  generation: string,
  engine: SessionEngine,
): Promise<Told> {
  const outputs: SessionOutput[] = [];
  const told = () => outputs.map((output) => toJson(SessionOutputSchema, output));
  const events = engine.runTurn({
    session,
    config: fromJson(SessionConfigSchema, config as ProtoJson),
    inputs: inputs.map((input) => fromJson(SessionInputSchema, input as ProtoJson)),
    snapshot: { snapshot, generation, appVersion: "", deployment: "" },
    source: Conversation_Source.SIMULATOR,
    streamText: false,
    signal: new AbortController().signal,
  });
  try {
    for await (const event of events) if (event.kind === "output") outputs.push(event.output);
    return { outputs: told(), refusal: undefined };
  } catch (error) {
    return { outputs: told(), refusal: toRecordedError(error) };
  }
}

function compare({ outputs, refusal }: RecordedTurn, told: Told, player: Player): void {
  const recorded = show({ outputs, refusal });
  const replayed = show({ outputs: told.outputs, refusal: told.refusal });
  if (recorded !== replayed) player.differ("the client is told otherwise than recorded", recorded, replayed);
}
