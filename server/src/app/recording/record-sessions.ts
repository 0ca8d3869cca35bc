import { AsyncLocalStorage } from "node:async_hooks";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toJson } from "@bufbuild/protobuf";
import { AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import type { Message } from "@frontdesk/protos/ces/example";
import { SessionConfigSchema, SessionInputSchema, SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { stringify } from "yaml";
import type { Clock, JsonValue, Logger } from "#base";
import type { SessionEngine, TurnRequest } from "#session";
import type { ToolsetMember } from "#tools";
import { type CallScope, type CallSink, toRecordedError } from "./calls.ts";
import type {
  RecordedCalls,
  RecordedDialogflowCall,
  RecordedDocument,
  RecordedError,
  RecordedToolset,
} from "./recording.ts";
import { lateResult } from "./stored-turn.ts";

/** Writes down what sessions get from outside, one file a session. */
export interface SessionRecorder {
  readonly scope: CallScope;
  /** An engine whose turns are written down. */
  record(engine: SessionEngine): SessionEngine;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/**
 * Creates the recorder over a folder. A recording holds all that was said, so apps that redact or do not log are left out. Files
 * are written after the turn; a folder that cannot be written costs the recording and a line in the log, never a turn.
 */
export function createSessionRecorder(folder: string, clock: Clock, logger: Logger): SessionRecorder {
  const sinks = new AsyncLocalStorage<CallSink | undefined>();
  const generations = new Map<string, string>();
  const toolsets = new Map<string, readonly ToolsetMember[]>();
  let written: Promise<void> = Promise.resolve();

  function write(path: string, documents: readonly RecordedDocument[]): void {
    const text = documents.map(
      (document) => `---\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`,
    );
    written = written
      .then(() => mkdir(dirname(path), { recursive: true, mode: 0o700 }))
      .then(() => appendFile(path, text.join(""), { mode: 0o600 }))
      .catch((error: unknown) => logger.error({ err: error, path }, "a recording cannot be written"));
  }

  return {
    scope: { current: () => sinks.getStore(), apart: (work) => sinks.run(undefined, work) },
    record: (engine) => ({
      ...engine,
      async *runTurn(request) {
        const path = pathOf(folder, request);
        if (!path || sinks.getStore()) return yield* engine.runTurn(request);
        const turn = new TurnNotes(
          (calls) => write(path, [{ kind: "late", ...calls }]),
          (toolset, members) => isNews(toolsets, `${path} ${toolset}`, members),
        );
        const time = new Date(clock.now()).toISOString();
        const outputs: JsonValue[] = [];
        const told: string[] = [];
        let refusal: RecordedError | undefined;
        const events = engine.runTurn(request);
        try {
          for (;;) {
            // Each step of the generator runs on behalf of this turn, whoever asks for it.
            const next = await sinks.run(turn, () => events.next());
            if (next.done) break;
            if (next.value.kind === "message") told.push(...toldBy(next.value.message));
            if (next.value.kind === "output") outputs.push(toJson(SessionOutputSchema, next.value.output) as JsonValue);
            yield next.value;
          }
        } catch (error) {
          refusal = toRecordedError(error);
          throw error;
        } finally {
          await events.return();
          const changed = generations.get(path) !== request.snapshot.generation;
          generations.set(path, request.snapshot.generation);
          write(path, [
            ...(changed ? [appOf(request)] : []),
            {
              ...turnOf(request, time),
              ...turn.close(),
              outputs,
              ...(told.length > 0 && { told }),
              ...(refusal && { refusal }),
            },
          ]);
        }
      },
    }),
    close: () => written,
  };
}

interface Notes {
  readonly models: RecordedCalls["models"][number][];
  readonly tools: RecordedCalls["tools"][number][];
  readonly hostCalls: RecordedCalls["hostCalls"][number][];
  readonly dialogflow: RecordedDialogflowCall[];
  readonly toolsets: RecordedToolset[];
}

const NOTHING: Notes = { models: [], tools: [], hostCalls: [], dialogflow: [], toolsets: [] };

type IsNews = (toolset: string, members: readonly ToolsetMember[]) => boolean;

function toldBy(message: Message): readonly string[] {
  const late = message.role === "user" ? lateResult(message) : undefined;
  return late ? [late.tool] : [];
}

/** Whether a file does not have what a toolset holds yet. */
function isNews(known: Map<string, readonly ToolsetMember[]>, key: string, members: readonly ToolsetMember[]): boolean {
  if (known.get(key) === members) return false;
  known.set(key, members);
  return true;
}

/** The calls of one turn. What ends after the turn is handed on by itself. */
class TurnNotes implements CallSink {
  readonly #late: (calls: RecordedCalls) => void;
  readonly #isNews: IsNews;
  #calls: Notes | undefined = { models: [], tools: [], hostCalls: [], dialogflow: [], toolsets: [] };

  constructor(late: (calls: RecordedCalls) => void, isNews: IsNews) {
    this.#late = late;
    this.#isNews = isNews;
  }

  readonly model: CallSink["model"] = (call) => this.#add("models", call);
  readonly tool: CallSink["tool"] = (call) => this.#add("tools", call);
  readonly host: CallSink["host"] = (call) => this.#add("hostCalls", call);

  readonly dialogflow: CallSink["dialogflow"] = (call) => this.#add("dialogflow", call);

  readonly toolset: CallSink["toolset"] = (toolset, members) => {
    if (!this.#calls || !this.#isNews(toolset, members)) return;
    const told = members.map(({ tool, toolId, hidden }) => ({
      tool: toJson(ToolSchema, tool) as JsonValue,
      toolId,
      hidden,
    }));
    this.#calls.toolsets.push({ toolset, members: told });
  };

  close(): RecordedCalls {
    const { dialogflow, toolsets, ...calls } = this.#calls ?? NOTHING;
    this.#calls = undefined;
    return { ...calls, ...(toolsets.length > 0 && { toolsets }), ...(dialogflow.length > 0 && { dialogflow }) };
  }

  #add<K extends keyof Notes>(key: K, call: Notes[K][number]): void {
    if (this.#calls) (this.#calls[key] as Notes[K][number][]).push(call);
    else this.#late({ models: [], tools: [], hostCalls: [], [key]: [call] });
  }
}

/** `<folder>/projects/…/sessions/{id}.yaml`; undefined for what must not be recorded, or has no name of a file. */
function pathOf(folder: string, { session, snapshot }: TurnRequest): string | undefined {
  const settings = snapshot.snapshot.app?.loggingSettings;
  const withheld =
    settings?.conversationLoggingSettings?.disableConversationLogging || settings?.redactionConfig?.enableRedaction;
  const segments = session.split("/");
  if (withheld || !segments.every((segment) => /^[\w-][\w.@:-]*$/.test(segment))) return undefined;
  return `${join(folder, ...segments)}.yaml`;
}

function appOf({ session, snapshot }: TurnRequest): RecordedDocument {
  return { kind: "app", session, snapshot: toJson(AppSnapshotSchema, snapshot.snapshot) as JsonValue };
}

function turnOf({ config, inputs }: TurnRequest, time: string) {
  return {
    kind: "turn",
    time,
    config: toJson(SessionConfigSchema, config) as JsonValue,
    inputs: inputs.map((input) => toJson(SessionInputSchema, input) as JsonValue),
  } as const;
}
