import { AsyncLocalStorage } from "node:async_hooks";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toJson } from "@bufbuild/protobuf";
import { AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import type { Message } from "@frontdesk/protos/ces/example";
import { SessionConfigSchema, SessionInputSchema, SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { stringify } from "yaml";
import { type Clock, definedFields, type JsonValue, type Logger } from "#base";
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

/** Records the calls of sessions to models and tools, one file per session. */
export interface SessionRecorder {
  readonly scope: CallScope;
  /** An engine whose turns are recorded. */
  record(engine: SessionEngine): SessionEngine;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/**
 * Creates the recorder of a folder. Recordings have the full content, so apps that redact or do not log are skipped. Files are written
 * after the turn; a folder that cannot be written costs the recording and a line in the log, never a turn.
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
    scope: { current: () => sinks.getStore(), unrecorded: (work) => sinks.run(undefined, work) },
    record: (engine) => ({
      ...engine,
      async *runTurn(request) {
        const path = pathOf(folder, request);
        if (!path || sinks.getStore()) return yield* engine.runTurn(request);
        const turn = new TurnCalls(
          (calls) => write(path, [{ kind: "late", ...calls }]),
          (toolset, members) => hasChanged(toolsets, `${path} ${toolset}`, members),
        );
        const time = new Date(clock.now()).toISOString();
        const outputs: JsonValue[] = [];
        const lateTools: string[] = [];
        let turnError: RecordedError | undefined;
        const events = engine.runTurn(request);
        try {
          for (;;) {
            // Each step of the generator runs in the scope of this turn, whoever reads it.
            const next = await sinks.run(turn, () => events.next());
            if (next.done) break;
            if (next.value.kind === "message") lateTools.push(...lateToolsOf(next.value.message));
            if (next.value.kind === "output") outputs.push(toJson(SessionOutputSchema, next.value.output) as JsonValue);
            yield next.value;
          }
        } catch (error) {
          turnError = toRecordedError(error);
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
              ...(lateTools.length > 0 && { told: lateTools }),
              ...definedFields({ refusal: turnError }),
            },
          ]);
        }
      },
    }),
    close: () => written,
  };
}

interface CallLists {
  readonly models: RecordedCalls["models"][number][];
  readonly tools: RecordedCalls["tools"][number][];
  readonly hostCalls: RecordedCalls["hostCalls"][number][];
  readonly dialogflow: RecordedDialogflowCall[];
  readonly toolsets: RecordedToolset[];
}

const NO_CALLS: CallLists = { models: [], tools: [], hostCalls: [], dialogflow: [], toolsets: [] };

type HasChanged = (toolset: string, members: readonly ToolsetMember[]) => boolean;

function lateToolsOf(message: Message): readonly string[] {
  const late = message.role === "user" ? lateResult(message) : undefined;
  return late ? [late.tool] : [];
}

/** Whether the tools of a toolset differ from those in the file. */
function hasChanged(
  known: Map<string, readonly ToolsetMember[]>,
  key: string,
  members: readonly ToolsetMember[],
): boolean {
  if (known.get(key) === members) return false;
  known.set(key, members);
  return true;
}

/** The calls of one turn. Calls that end after the turn are passed to `late`. */
class TurnCalls implements CallSink {
  readonly #late: (calls: RecordedCalls) => void;
  readonly #hasChanged: HasChanged;
  #calls: CallLists | undefined = { models: [], tools: [], hostCalls: [], dialogflow: [], toolsets: [] };

  constructor(late: (calls: RecordedCalls) => void, hasChanged: HasChanged) {
    this.#late = late;
    this.#hasChanged = hasChanged;
  }

  readonly model: CallSink["model"] = (call) => this.#add("models", call);
  readonly tool: CallSink["tool"] = (call) => this.#add("tools", call);
  readonly host: CallSink["host"] = (call) => this.#add("hostCalls", call);

  readonly dialogflow: CallSink["dialogflow"] = (call) => this.#add("dialogflow", call);

  readonly toolset: CallSink["toolset"] = (toolset, members) => {
    if (!this.#calls || !this.#hasChanged(toolset, members)) return;
    const tools = members.map(({ tool, toolId, hidden }) => ({
      tool: toJson(ToolSchema, tool) as JsonValue,
      toolId,
      hidden,
    }));
    this.#calls.toolsets.push({ toolset, members: tools });
  };

  close(): RecordedCalls {
    const { dialogflow, toolsets, ...calls } = this.#calls ?? NO_CALLS;
    this.#calls = undefined;
    return { ...calls, ...(toolsets.length > 0 && { toolsets }), ...(dialogflow.length > 0 && { dialogflow }) };
  }

  #add<K extends keyof CallLists>(key: K, call: CallLists[K][number]): void {
    if (this.#calls) (this.#calls[key] as CallLists[K][number][]).push(call);
    else this.#late({ models: [], tools: [], hostCalls: [], [key]: [call] });
  }
}

/** `<folder>/projects/…/sessions/{id}.yaml`; undefined for sessions that must not be recorded, or whose name cannot be a path. */
function pathOf(folder: string, { session, snapshot }: TurnRequest): string | undefined {
  const settings = snapshot.snapshot.app?.loggingSettings;
  const withheld =
    settings?.conversationLoggingSettings?.disableConversationLogging ||
    settings?.requiredRecordingConsent ||
    settings?.redactionConfig?.enableRedaction;
  const segments = session.split("/");
  if (withheld || !segments.every((segment) => /^[\w-][\w.@:-]*$/.test(segment))) return undefined;
  return `${join(folder, ...segments)}.yaml`;
}

function appOf({ session, snapshot }: TurnRequest): RecordedDocument {
  return { kind: "app", session, snapshot: toJson(AppSnapshotSchema, snapshot.snapshot) as JsonValue };
}

function turnOf({ config, inputs, onStream = false, awaitsClient = false }: TurnRequest, time: string) {
  return {
    kind: "turn",
    time,
    config: toJson(SessionConfigSchema, config) as JsonValue,
    inputs: inputs.map((input) => toJson(SessionInputSchema, input) as JsonValue),
    ...(onStream && { onStream }),
    ...(awaitsClient && { awaitsClient }),
  } as const;
}
