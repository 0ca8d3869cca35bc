import type { BidiSessionClientMessage, BidiSessionServerMessage } from "@frontdesk/protos/ces/session_service";
import { resourceExhausted } from "#status";
import type { LiveDeps, LiveLimits, LiveRequest, LiveSessions, Unprompted } from "./contract.ts";
import { Drain, serverStopping } from "./drain.ts";
import { openLine } from "./open-line.ts";
import { converseByText } from "./text-conversation.ts";
import { refuseVoice, wantsVoice } from "./voice.ts";

const DEFAULT_LIMITS: LiveLimits = {
  configMs: 30_000,
  idleMs: 600_000,
  goAwayMs: 5_000,
  maxConversations: 20_000,
  maxFragments: 1_000,
  maxInputSize: 32 * 1024 * 1024,
};

/** The deps with their defaults, and what all conversations share. */
export interface LiveCapabilities extends Required<Omit<LiveDeps, "limits" | "voice">> {
  readonly limits: LiveLimits;
  readonly drain: Drain;
}

/** Creates the conversations of a server. */
export function createLiveSessions(deps: LiveDeps): LiveSessions {
  const { engine, logger, voice = refuseVoice, unprompted = NOTHING_UNPROMPTED } = deps;
  const drain = new Drain();
  const live: LiveCapabilities = { engine, logger, unprompted, drain, limits: { ...DEFAULT_LIMITS, ...deps.limits } };
  let open = 0;

  async function* converse(
    messages: AsyncIterable<BidiSessionClientMessage>,
    request: LiveRequest,
  ): AsyncGenerator<BidiSessionServerMessage, void> {
    admit(open, live);
    open++;
    try {
      const line = await openLine(messages, request, live);
      yield* wantsVoice(line.config) ? voice(line) : converseByText(line);
    } finally {
      open--;
    }
  }
  return { converse, drain: () => drain.begin() };
}

function admit(open: number, { limits, drain }: LiveCapabilities): void {
  if (drain.begun) throw serverStopping();
  if (open < limits.maxConversations) return;
  throw resourceExhausted(`The server holds ${limits.maxConversations} conversations, its most. Try again later.`, {
    reason: "TOO_MANY_CONVERSATIONS",
    metadata: { limit: String(limits.maxConversations) },
  });
}

const NOTHING_UNPROMPTED: Unprompted = { subscribe: () => () => {}, take: () => undefined };
