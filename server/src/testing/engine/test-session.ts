import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import { SessionConfigSchema, SessionInputSchema, type SessionOutput } from "@frontdesk/protos/ces/session_service";
import { createLogger, type Egress, systemClock } from "#base";
import type { Sandbox } from "#sandbox";
import {
  collectOutputs,
  createSessionEngine,
  type SessionEngine,
  type SessionEngineDeps,
  type TurnEvent,
} from "#session";
import { openStorage, type Storage } from "#storage";
import { createTools } from "#tools";
import { type AppSketch, appSnapshot, TEST_APP } from "./app-snapshot.ts";
import type { ScriptedModel } from "./scripted-model.ts";

interface TestSessionOptions extends AppSketch {
  readonly model: ScriptedModel;
  /** Default: none; a turn that needs Python fails. */
  readonly sandbox?: Pick<Sandbox, "run" | "inspect">;
  readonly egress?: Pick<Egress, "fetch">;
  readonly engine?: Partial<SessionEngineDeps>;
}

/** Options of a turn. */
interface SendOptions {
  readonly session?: string;
  readonly config?: MessageInitShape<typeof SessionConfigSchema>;
  readonly streamText?: boolean;
  readonly signal?: AbortSignal;
  /** What a conversation by voice adds. */
  readonly voice?: Parameters<SessionEngine["runTurn"]>[0]["voice"];
  /** An engine other than the session's own. */
  readonly engine?: SessionEngine;
}

/** Text, or inputs of the API. */
type TestInput = string | readonly NonNullable<MessageInitShape<typeof SessionInputSchema>["inputType"]>[];

/** One app on an engine of its own, with a real store in a temporary folder; disposing it deletes the folder. */
export interface TestSession extends AsyncDisposable {
  readonly engine: SessionEngine;
  readonly storage: Storage;
  /** The events of a turn. */
  events(input: TestInput, options?: SendOptions): AsyncGenerator<TurnEvent, void>;
  /** The outputs of a turn, as RunSession returns them. */
  send(input: TestInput, options?: SendOptions): Promise<SessionOutput[]>;
  /** One more engine on the same store, as a second server would be. */
  anotherEngine(): SessionEngine;
  /** Opens the same folder with a new engine, as a new process would. */
  restart(): Promise<void>;
}

/** Opens a session of an app in the short form. All responses of the script must be used. */
export async function testSession(options: TestSessionOptions): Promise<TestSession> {
  const { model, sandbox = NO_PYTHON, egress = NO_NETWORK, engine: more, ...sketch } = options;
  const logger = createLogger("silent");
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-session-"));
  const snapshot = { snapshot: appSnapshot(sketch), generation: "1", appVersion: "", deployment: "" };
  const tools = createTools({ sandbox, egress, logger });
  const engineOn = (storage: Storage) => {
    let count = 0;
    const deps: SessionEngineDeps = {
      models: { resolve: () => model },
      sandbox,
      tools,
      storage: storage.conversations,
      clock: systemClock,
      ids: { uuid: () => `id-${++count}` },
      logger,
      random: () => 0,
      ...more,
    };
    return createSessionEngine(deps);
  };
  const open = async () => {
    const storage = await openStorage({ dataDir, clock: systemClock, logger });
    return { storage, engine: engineOn(storage) };
  };
  let now = await open();
  const events: TestSession["events"] = (input, options = {}) => {
    const { session = "session-1", config, streamText = false, signal, voice, engine = now.engine } = options;
    const name = `${TEST_APP}/sessions/${session}`;
    return engine.runTurn({
      session: name,
      config: create(SessionConfigSchema, { session: name, ...config }),
      inputs: toInputs(input).map((inputType) => create(SessionInputSchema, { inputType })),
      snapshot,
      source: Conversation_Source.LIVE,
      streamText,
      voice,
      signal: signal ?? new AbortController().signal,
    });
  };
  return {
    get engine() {
      return now.engine;
    },
    get storage() {
      return now.storage;
    },
    events,
    send: (input, sendOptions) => collectOutputs(events(input, sendOptions)),
    anotherEngine: () => engineOn(now.storage),
    restart: async () => {
      await now.storage.close();
      now = await open();
    },
    [Symbol.asyncDispose]: async () => {
      await now.storage.close();
      await rm(dataDir, { recursive: true, force: true });
      model.assertDone();
    },
  };
}

/** The outputs in short: texts unchanged, everything else by its case. */
export function spoken(outputs: readonly SessionOutput[]): readonly unknown[] {
  return outputs.map(({ outputType }) => (outputType.case === "text" ? outputType.value : outputType));
}

function toInputs(input: TestInput) {
  return typeof input === "string" ? [{ case: "text" as const, value: input }] : input;
}

const NO_PYTHON: Pick<Sandbox, "run" | "inspect"> = {
  run: () => Promise.reject(new Error("this session runs no Python")),
  inspect: () => Promise.reject(new Error("this session runs no Python")),
};

const NO_NETWORK: Pick<Egress, "fetch"> = { fetch: () => Promise.reject(new Error("this session has no network")) };
