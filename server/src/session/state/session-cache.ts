import { fromBinary, fromJson, type JsonValue as ProtoJson } from "@bufbuild/protobuf";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import type { ConversationHead, ConversationStore, TurnRow } from "#storage";
import type { AppIndex } from "../app-index.ts";
import { History } from "../model-call/history.ts";
import type { Signatures } from "../turn/recorder.ts";

/** A turn as the engine keeps it beside the messages. */
export interface PastTurn {
  /** From 1; 0 holds the historical contexts that the client gave. */
  readonly index: number;
  readonly messages: readonly Message[];
  readonly signatures: Signatures;
}

/** A session between its turns, as stored and ready to go on. */
export interface HotSession {
  readonly head: ConversationHead;
  readonly turns: readonly PastTurn[];
  /** The turns in model form, as the app of the last turn tells them. */
  readonly history: History | undefined;
}

/** What `TurnRow.extra` holds. */
export interface TurnExtra {
  readonly signatures?: Signatures;
  /** Only in the first turn: `SessionConfig.historical_contexts`, proto JSON. */
  readonly historicalContexts?: readonly ProtoJson[];
}

/**
 * Sessions that had a turn lately, at most `limit`, the longest unused leaving first (CONV-15). The store's head is asked every time:
 * a conversation that was deleted, or continued by another server, is read anew instead of being continued from memory (SESS-2).
 */
export class HotSessions {
  readonly #store: ConversationStore;
  readonly #limit: number;
  readonly #sessions = new Map<string, HotSession>();

  constructor(store: ConversationStore, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  /** The session by its conversation's name; undefined when it had no turn yet. */
  async load(conversation: string): Promise<HotSession | undefined> {
    const head = await this.#store.getHead(conversation);
    const hot = this.#sessions.get(conversation);
    this.#sessions.delete(conversation);
    if (!head) return undefined;
    if (hot && isSame(hot.head, head)) return this.#keep(hot);
    const turns = (await this.#store.getTurns(conversation)).flatMap(readTurn);
    return this.#keep({ head, turns, history: undefined });
  }

  /** The session as it is after a stored turn. */
  put(session: HotSession): void {
    this.#sessions.delete(session.head.name);
    this.#keep(session);
  }

  /** Forgets a session whose store moved on without it. */
  drop(conversation: string): void {
    this.#sessions.delete(conversation);
  }

  #keep(session: HotSession): HotSession {
    this.#sessions.set(session.head.name, session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#limit) break;
      this.#sessions.delete(oldest);
    }
    return session;
  }
}

/** The turns in model form for an app; kept from the last turn unless the app has changed since. */
export function historyOf(session: HotSession | undefined, index: AppIndex): History {
  if (session?.history?.names === index) return session.history;
  const history = new History(index);
  for (const turn of session?.turns ?? []) appendTurn(history, turn);
  return history;
}

/** Tells a whole turn to a history. */
export function appendTurn(history: History, { index, messages, signatures }: PastTurn): void {
  messages.forEach((message, position) => {
    const signed = signatures[position];
    history.append(message, { turn: index, position, ...(signed && { signatures: signed }) });
  });
}

function isSame(hot: ConversationHead, stored: ConversationHead): boolean {
  return hot.turnCount === stored.turnCount && hot.startTime === stored.startTime && hot.state === stored.state;
}

function readTurn(row: TurnRow): readonly PastTurn[] {
  // What was stored must be read again, however deep clients nested it.
  const { messages } = fromBinary(Conversation_TurnSchema, row.body, { recursionLimit: 1_000 });
  // Only the engine writes the column.
  const { signatures = {}, historicalContexts } = (row.extra ? JSON.parse(row.extra) : {}) as TurnExtra;
  const turn = { index: row.index, messages, signatures };
  if (!historicalContexts) return [turn];
  return [
    { index: 0, messages: historicalContexts.map((json) => fromJson(MessageSchema, json)), signatures: {} },
    turn,
  ];
}
