import type {
  BidiSessionClientMessage,
  BidiSessionServerMessage,
  SessionConfig,
} from "@frontdesk/protos/ces/session_service";
import { resourceExhausted } from "#status";
import type { Unprompted } from "../contract.ts";
import type { LiveConnection, LiveDeps, LiveLimits, LiveRequest, LiveSessions } from "./contract.ts";
import { DrainSignal, serverStopping } from "./drain-signal.ts";
import { type LiveRuntime, openConnection } from "./live-connection.ts";
import { converseByText } from "./text-conversation.ts";
import { speechNotConfigured } from "./voice/speech-not-configured.ts";
import { readAudioFormats } from "./voice/voice-settings.ts";

/** Limits of one server and of one live session (SESS-18). */
const DEFAULT_LIMITS: LiveLimits = {
  configMs: 30_000,
  idleMs: 600_000,
  goAwayMs: 5_000,
  endSessionMs: 3_000,
  maxConversations: 20_000,
  maxFragments: 1_000,
  maxInputSize: 32 * 1024 * 1024,
};

/** Creates the live sessions of a server. */
export function createLiveSessions(deps: LiveDeps): LiveSessions {
  const { engine, logger, voice = rejectVoice, unprompted = NOTHING_UNPROMPTED } = deps;
  const drain = new DrainSignal();
  const live: LiveRuntime = { engine, logger, unprompted, drain, limits: { ...DEFAULT_LIMITS, ...deps.limits } };
  let open = 0;

  async function* converse(
    messages: AsyncIterable<BidiSessionClientMessage>,
    request: LiveRequest,
  ): AsyncGenerator<BidiSessionServerMessage, void> {
    admit(open, live);
    open++;
    const left = new AbortController();
    try {
      const connection = await openConnection(messages, request, live);
      await unprompted.follow(connection.config.session, left.signal);
      let ended = false;
      for await (const message of wantsVoice(connection.config) ? voice(connection) : converseByText(connection)) {
        ended = message.messageType.case === "endSession";
        yield message;
      }
      if (ended) await connection.halfClosed(live.limits.endSessionMs);
    } finally {
      left.abort();
      open--;
    }
  }
  return { converse, drain: () => drain.begin() };
}

function admit(open: number, { limits, drain }: LiveRuntime): void {
  if (drain.begun) throw serverStopping();
  if (open < limits.maxConversations) return;
  throw resourceExhausted(`The server holds ${limits.maxConversations} conversations, its most. Try again later.`, {
    reason: "TOO_MANY_CONVERSATIONS",
    metadata: { limit: String(limits.maxConversations) },
    retryMs: 1_000,
  });
}

const NOTHING_UNPROMPTED: Unprompted = { subscribe: () => () => {}, take: () => undefined, follow: async () => {} };

/** Whether the client asks for audio input or output. */
function wantsVoice({ inputAudioConfig, outputAudioConfig }: SessionConfig): boolean {
  return inputAudioConfig !== undefined || outputAudioConfig !== undefined;
}

/** Rejects a conversation by voice on a server without speech providers. */
// biome-ignore lint/correctness/useYield: a rejected conversation sends nothing
async function* rejectVoice({ config }: LiveConnection): AsyncGenerator<never, void> {
  throw speechNotConfigured(readAudioFormats(config), {});
}
