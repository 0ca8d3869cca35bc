import { create, fromBinary, fromJson, type JsonValue as ProtoJson } from "@bufbuild/protobuf";
import { type Span, SpanSchema } from "@frontdesk/protos/ces/common";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { definedFields } from "#base";
import type { ConversationHead, ConversationStore, ExportRow, SessionLease, TurnRow } from "#storage";
import type { AppIndex } from "../app-index.ts";
import type { TurnKey } from "../contract.ts";
import { History, type Signatures } from "../model-call/history.ts";
import { PastCallIds } from "./past-call-ids.ts";
import { SharedList } from "./shared-list.ts";
import { restoreValues, type SpelledValues } from "./spelled-values.ts";

/** A past turn in memory. */
export interface PastTurn {
  /** From 1; 0 holds the historical contexts that the client gave. */
  readonly index: number;
  readonly messages: readonly Message[];
  readonly signatures: Signatures;
  /** Position of the user's message where a guardrail answered it: no agent is told it (GUARD-30). */
  readonly blockedInput?: number;
  /** What its client called it. */
  readonly key?: TurnKey;
  /** Number of messages of the turns before. */
  readonly firstEvent: number;
}

/** A session between its turns, as stored and ready to go on. */
export interface StoredSession extends DecodedTurns {
  readonly head: ConversationHead;
}

interface DecodedTurns {
  readonly turns: SharedList<PastTurn>;
  /** The turns in model form, for the app of the last turn; undefined when none ran since they were read. */
  readonly history: History | undefined;
  readonly callIds: PastCallIds;
}

/** The content of `TurnRow.extra`. */
export interface TurnExtra {
  readonly signatures?: Signatures;
  /** See `PastTurn`. */
  readonly blockedInput?: number;
  /** See `PastTurn`. */
  readonly key?: TurnKey;
  /** Only in the first turn: `SessionConfig.historical_contexts`, proto JSON. */
  readonly historicalContexts?: readonly ProtoJson[];
  /** JSON texts of values that a `Struct` does not hold as they were (PY-42), by the positions of message and chunk. */
  readonly values?: SpelledValues;
  /** The body of a turn that may not be recorded, base64. */
  readonly withheld?: string;
}

/**
 * The stored sessions (SESS-2, CONV-15). Their decoded turns hang on the head that the store returned with them: the store returns the very same
 * object only while it knows that nothing has changed the conversation (`ConversationStore.getHead`), so decoded turns are used
 * exactly as long as they are what is stored, and are collected with the head. There is no second cache and no second limit.
 */
export class StoredSessions {
  readonly #store: ConversationStore;
  readonly #decoded = new WeakMap<ConversationHead, DecodedTurns>();

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  /** The right to run a turn, where other servers may run turns of the same session. */
  get lease(): ConversationStore["lease"] {
    return this.#store.lease;
  }

  /** The session by its conversation's name; undefined when it had no turn yet. */
  async load(conversation: string, lease?: SessionLease): Promise<StoredSession | undefined> {
    const head = await this.#store.getHead(conversation, lease);
    if (!head) return undefined;
    const known = this.#decoded.get(head);
    if (known) return { head, ...known };
    const turns = new SharedList(numbered((await this.#store.getTurns(conversation)).flatMap(decodeTurn)));
    const decoded = { turns, history: undefined, callIds: new PastCallIds() };
    this.#decoded.set(head, decoded);
    return { head, ...decoded };
  }

  /** The trace of a turn, as it is stored; without spans where none is. */
  async rootSpanOf(conversation: string, index: number): Promise<Span> {
    const row = await this.#store.getTurn(conversation, index);
    const turn = row && fromBinary(Conversation_TurnSchema, row.body, { recursionLimit: 1_000 });
    return turn?.rootSpan ?? create(SpanSchema, { name: "Turn" });
  }

  /**
   * Appends a turn and its exports, durable when it resolves. `decoded`: all turns after it. Rejects with ABORTED when another turn came
   * first.
   */
  async append(
    head: ConversationHead,
    row: TurnRow,
    decoded: DecodedTurns,
    exports: readonly ExportRow[],
    lease?: SessionLease,
  ): Promise<void> {
    this.#decoded.set(await this.#store.appendTurn(head, row, exports, lease), decoded);
  }
}

/** The turns in model form for an app; those of the last turn unless the app has changed since. */
export function historyOf(session: StoredSession | undefined, index: AppIndex): History {
  if (session?.history?.names === index) return session.history;
  const history = new History(index);
  for (const turn of session?.turns ?? []) appendToHistory(history, turn);
  return history;
}

/** Adds the messages of a whole turn to a history. */
export function appendToHistory(history: History, { index, messages, signatures, blockedInput }: PastTurn): void {
  messages.forEach((message, position) => {
    const signed = signatures[position];
    const isBlocked = position === blockedInput;
    history.append(message, { turn: index, position, isBlocked, ...definedFields({ signatures: signed }) });
  });
}

function numbered(turns: readonly Omit<PastTurn, "firstEvent">[]): readonly PastTurn[] {
  let events = 0;
  return turns.map((turn) => {
    const firstEvent = events;
    events += turn.messages.length;
    return { ...turn, firstEvent };
  });
}

function decodeTurn(row: TurnRow): readonly Omit<PastTurn, "firstEvent">[] {
  // Only the engine writes the column.
  const extra = (row.extra ? JSON.parse(row.extra) : {}) as TurnExtra;
  const { signatures = {}, blockedInput, key, historicalContexts, values, withheld } = extra;
  const body = withheld === undefined ? row.body : Buffer.from(withheld, "base64");
  // What was stored must be read again, however deep clients nested it.
  const { messages } = fromBinary(Conversation_TurnSchema, body, { recursionLimit: 1_000 });
  if (values) restoreValues(messages, values);
  const turn = { index: row.index, messages, signatures, ...definedFields({ blockedInput, key }) };
  if (!historicalContexts) return [turn];
  return [
    { index: 0, messages: historicalContexts.map((json) => fromJson(MessageSchema, json)), signatures: {} },
    turn,
  ];
}
