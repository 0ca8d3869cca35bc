import { createHash } from "node:crypto";
import { toBinary } from "@bufbuild/protobuf";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import {
  type SessionConfig,
  type SessionInput,
  SessionInputSchema,
  SessionService,
} from "@frontdesk/protos/ces/session_service";
import { SessionService as SessionServiceV1 } from "@frontdesk/protos/ces-v1/session_service";
import type { Access } from "#access";
import type { Assistant } from "#assistant";
import { createPauses, deferStream, watchStream } from "#base";
import { type QuotaSubject, type Quotas, subjectOf } from "#quota";
import { type CallContext, defineService, type ServiceRegistration } from "#rpc";
import {
  collectOutputs,
  type LiveSessions,
  runDetached,
  type SessionEngine,
  type TurnEvent,
  type TurnKey,
  toResponses,
} from "#session";
import type { ChargedModels } from "./agent-service.ts";
import { assistantTurns } from "./assistant-turns.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import type { SnapshotResolver } from "./snapshot-resolver.ts";
import type { ChatTokenGuard } from "./widget/chat-token-guard.ts";
import type { CheckSession } from "./widget/public-sessions.ts";

interface SessionServiceDeps {
  readonly sessions: SessionEngine;
  readonly live: LiveSessions;
  readonly snapshots: SnapshotResolver;
  readonly chatTokenGuard: ChatTokenGuard;
  readonly checkSession: CheckSession;
  readonly quotas: Pick<Quotas, "openStream">;
  readonly access: Access;
  readonly assistant: Assistant;
  readonly chargedModels: ChargedModels;
}

/** `x-frontdesk-trace: prompts` records the prompts of the model calls in the trace. Ignored from callers who may not read the conversation. */
const TRACE_HEADER = "x-frontdesk-trace";

/** `x-frontdesk-source: simulator` marks a session as one of a developer, as the console's simulator does (CONV-20). Ignored from callers who may not read the conversation. */
const SOURCE_HEADER = "x-frontdesk-source";

/** Of the inputs, digested in a few milliseconds. */
const PIECE_BYTES = 1 << 20;

/** What shows how an answer comes about: messages and trace, steps, thoughts. */
const WITHOUT_INSIGHT = {
  excludeDiagnosticInfo: true,
  includeProgressUpdate: false,
  includeLlmThoughtSummary: false,
} as const;

/** The sessions of an app: `google.cloud.ces.v1beta.SessionService`. */
export function createSessionService({
  sessions,
  live,
  snapshots,
  chatTokenGuard,
  checkSession,
  quotas,
  access,
  assistant,
  chargedModels,
}: SessionServiceDeps): ServiceRegistration {
  /** The session as its caller may have it (IAM-16): what GetConversation shows is for those who may call that. */
  const admit = async (requested: SessionConfig, context: CallContext): Promise<Admitted> => {
    const config = chatTokenGuard.authorize(requested, context);
    const mayRead =
      !chatTokenGuard.hasChatToken(context) && (await access.may(context, "ces.conversations.get", config.session));
    const isSimulator = mayRead && context.headers.get(SOURCE_HEADER) === "simulator";
    return {
      config: mayRead ? config : { ...config, ...WITHOUT_INSIGHT },
      source: isSimulator ? Conversation_Source.SIMULATOR : Conversation_Source.LIVE,
      tracePrompts: mayRead && context.headers.get(TRACE_HEADER) === "prompts",
    };
  };
  const turn = (
    requested: SessionConfig,
    inputs: readonly SessionInput[],
    streamText: boolean,
    context: CallContext,
  ): AsyncIterable<TurnEvent> =>
    deferStream(async () => {
      const key = await turnKey(idempotencyKey(context.headers), inputs);
      const admitted = await admit(requested, context);
      await checkSession(admitted.config, context);
      const snapshot = await snapshots.forSession(admitted.config);
      const run = (signal: AbortSignal, onActed: () => void) =>
        sessions.runTurn({
          session: admitted.config.session,
          ...admitted,
          ...{ inputs, key, snapshot, streamText, onActed, signal },
          isForwardable: true,
          sender: context,
          traceparent: context.headers.get("traceparent"),
        });
      return runDetached(run, context.signal);
    });
  return defineService(SessionService, [SessionServiceV1], {
    ...assistantTurns({ assistant, chargedModels }),
    runSession: async ({ config, inputs }, context) => ({
      outputs: await collectOutputs(turn(required(config), inputs, false, context)),
    }),
    streamRunSession: ({ config, inputs }, context) => {
      const requested = required(config);
      return toResponses(turn(requested, inputs, requested.enableTextStreaming, context));
    },
    bidiRunSession: (messages, context) => {
      const place = new StreamPlace(quotas);
      const open = () =>
        live.converse(messages, {
          admit: async (config) => {
            const admitted = await admit(config, context);
            place.take(subjectOf(context, admitted.config.session));
            return admitted;
          },
          // Asked again before each turn (IAM-17).
          snapshot: async (config) => {
            await access.require(context, "ces.sessions.bidiRunSession", config.session);
            await checkSession(config, context);
            return snapshots.forSession(config);
          },
          sender: context,
          traceparent: context.headers.get("traceparent"),
          signal: context.signal,
          closesWhole: context.protocol === "websocket",
        });
      return watchStream(open, { onEnd: () => place.leave() });
    },
  });
}

/** A session as the caller may have it. */
interface Admitted {
  readonly config: SessionConfig;
  readonly source: Conversation_Source;
  readonly tracePrompts: boolean;
}

/**
 * The key of a request; variables are none of the inputs that it stands for, since a page may set them anew in between. Other calls run while large
 * inputs are digested (TURN-63).
 */
async function turnKey(name: string | undefined, inputs: readonly SessionInput[]): Promise<TurnKey | undefined> {
  if (name === undefined) return undefined;
  const pause = createPauses();
  const digest = createHash("sha256");
  for (const input of inputs) {
    if (input.inputType.case === "variables") continue;
    const bytes = toBinary(SessionInputSchema, input);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      digest.update(bytes.subarray(at, at + PIECE_BYTES));
      await pause();
    }
    digest.update(";");
  }
  return { name, inputs: digest.digest("base64url") };
}

/** `config` is REQUIRED, so calls without it have already failed. */
function required(config: SessionConfig | undefined): SessionConfig {
  if (!config) throw new Error("a request without config passed the check of required fields");
  return config;
}

/** The place of one stream among those that are open. It is known only once the stream tells its session. */
class StreamPlace {
  readonly #quotas: Pick<Quotas, "openStream">;
  #giveBack: () => void = () => undefined;
  #ended = false;

  constructor(quotas: Pick<Quotas, "openStream">) {
    this.#quotas = quotas;
  }

  take(subject: QuotaSubject): void {
    if (!this.#ended) this.#giveBack = this.#quotas.openStream(subject);
  }

  leave(): void {
    this.#ended = true;
    this.#giveBack();
  }
}
