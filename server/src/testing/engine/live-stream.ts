import assert from "node:assert/strict";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import {
  type BidiSessionClientMessage,
  BidiSessionClientMessageSchema,
  type BidiSessionServerMessage,
  type SessionConfigSchema,
  type SessionInputSchema,
} from "@frontdesk/protos/ces/session_service";
import { AsyncQueue, createLogger } from "#base";
import { createLiveSessions, type LiveSessions } from "#session";
import type { ConnectError } from "#status";
import { type AppSketch, appSnapshot, TEST_APP } from "./app-snapshot.ts";
import type { TestSession } from "./test-session.ts";

type LiveDeps = Parameters<typeof createLiveSessions>[0];
type LiveRequest = Parameters<LiveSessions["converse"]>[1];

export const SESSION = `${TEST_APP}/sessions/session-1`;

export const ONE_AGENT: AppSketch = { agents: { Root: { instruction: "Be kind." } } };

type Config = MessageInitShape<typeof SessionConfigSchema>;

type Input = NonNullable<MessageInitShape<typeof SessionInputSchema>["inputType"]>;

export function liveSessions(session: TestSession, deps: Partial<LiveDeps> = {}): LiveSessions {
  return createLiveSessions({ engine: session.engine, logger: createLogger("silent"), ...deps });
}

/** One stream, from the client's side. */
export function openStream(live: LiveSessions, sketch: AppSketch = ONE_AGENT, more: Partial<LiveRequest> = {}) {
  const sent = new AsyncQueue<BidiSessionClientMessage>();
  const gone = new AbortController();
  const send = (
    messageType: MessageInitShape<typeof BidiSessionClientMessageSchema>["messageType"] = { case: undefined },
  ) => sent.push(create(BidiSessionClientMessageSchema, { messageType }));
  const received = live.converse(sent, {
    admit: (config) => ({ config, source: Conversation_Source.LIVE }),
    snapshot: async () => ({ snapshot: appSnapshot(sketch), generation: "1", appVersion: "", deployment: "" }),
    signal: gone.signal,
    ...more,
  });
  const next = async (): Promise<BidiSessionServerMessage | undefined> => (await received.next()).value ?? undefined;
  return {
    send,
    config: (config: Config = {}) => send({ case: "config", value: { session: SESSION, ...config } }),
    input: (inputType: Input, willContinue = false) =>
      send({ case: "realtimeInput", value: { inputType, willContinue } }),
    text: (value: string, willContinue = false) =>
      send({ case: "realtimeInput", value: { inputType: { case: "text", value }, willContinue } }),
    halfClose: () => sent.end(),
    disconnect: () => gone.abort(new Error("gone")),
    leave: () => received.return(),
    next,
    /** Messages up to the one that completes a turn, in short. */
    turn: async (): Promise<readonly string[]> => {
      const briefs: string[] = [];
      for (;;) {
        const message = await next();
        briefs.push(brief(message));
        if (!message || isTurnEnd(message)) return briefs;
      }
    },
    /** Messages up to the end of the stream, in short. */
    rest: async (): Promise<readonly string[]> => {
      const briefs: string[] = [];
      for await (const message of received) briefs.push(brief(message));
      return briefs;
    },
    error: async (): Promise<ConnectError> => {
      try {
        for await (const _message of received);
      } catch (error) {
        return error as ConnectError;
      }
      return assert.fail("the stream did not fail");
    },
  };
}

function isTurnEnd({ messageType }: BidiSessionServerMessage): boolean {
  return messageType.case === "sessionOutput" && messageType.value.turnCompleted;
}

/** A message in a word or two. */
export function brief(message: BidiSessionServerMessage | undefined): string {
  if (!message) return "(end)";
  const { messageType } = message;
  if (messageType.case !== "sessionOutput") return messageType.case ?? "(nothing)";
  const { outputType, turnIndex, turnCompleted } = messageType.value;
  if (turnCompleted) return `completed ${turnIndex}`;
  return outputType.case === "text" ? outputType.value : (outputType.case ?? "(empty)");
}
