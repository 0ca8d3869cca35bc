import type { Context } from "@frontdesk/protos/gda/context";
import type { Message } from "@frontdesk/protos/gda/data_chat_service";

/** One question in a chat: what was said before, and what may be asked. */
export interface ChatRequest {
  readonly messages: readonly Message[];
  readonly context: Context;
  readonly signal: AbortSignal;
}

/** Answers questions; like a turn of a session, the only output is the stream. */
export interface Analytics {
  chat(request: ChatRequest): AsyncIterable<Message>;
}
