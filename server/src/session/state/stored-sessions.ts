import { create, fromBinary, fromJson, type JsonValue as ProtoJson } from "@bufbuild/protobuf";
import { type Span, SpanSchema } from "@frontdesk/protos/ces/common";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { LRUCache } from "lru-cache";
import { definedFields, shareOfHeap } from "#base";
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
  /** Of the turns, as bytes that are stored. */
  readonly size: number;
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

/** Share of the heap for decoded turns, as bytes that are stored. Decoded they take up to three times as much. */
const SHARE_OF_HEAP = 1 / 12;

/**
 * The stored sessions (SESS-2, CONV-15). Their decoded turns hang on the head that the store returned with them: the store returns the very same
 * object only while it knows that nothing has changed the conversation (`ConversationStore.getHead`), so decoded turns are used
 * exactly as long as they are what is stored, and are collected with the head. The store limits how many there are, and not how large they are: those
 * that were used the longest time ago are dropped when all of them are too large together, and are read again (TURN-90).
 */
export class StoredSessions {
  readonly #store: ConversationStore;
  readonly #decoded = new WeakMap<ConversationHead, DecodedTurns>();
  /** The heads that have decoded turns, by conversation. They are the store's, which may forget them. */
  readonly #sized: LRUCache<string, WeakRef<ConversationHead>>;

  /** `mostBytes`: of decoded turns in memory, as they are stored. */
  constructor(store: ConversationStore, mostBytes = shareOfHeap(SHARE_OF_HEAP)) {
    this.#store = store;
    this.#sized = new LRUCache({
      maxSize: mostBytes,
      dispose: (ref) => {
        const head = ref.deref();
        if (head) this.#decoded.delete(head);
      },
    });
  }

  /** The session by its conversation's name; undefined when it had no turn yet. */
  async load(conversation: string, lease?: SessionLease): Promise<StoredSession | undefined> {
    const head = await this.#store.getHead(conversation, lease);
    if (!head) return undefined;
    const known = this.#decoded.get(head);
    if (known) {
      this.#sized.get(conversation);
      return { head, ...known };
    }
    const rows = await this.#store.getTurns(conversation);
    const turns = new SharedList(numbered(rows.flatMap(decodeTurn)));
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    const decoded = { turns, history: undefined, callIds: new PastCallIds(), size };
    this.#keep(head, decoded);
    return { head, ...decoded };
  }

  #keep(head: ConversationHead, decoded: DecodedTurns): void {
    this.#decoded.set(head, decoded);
    this.#sized.set(head.name, new WeakRef(head), { size: Math.max(1, decoded.size) });
    // Too large for all of the space.
    if (!this.#sized.has(head.name)) this.#decoded.delete(head);
  }

  /** The trace of a turn, as it is stored; without spans where none is. */
  async rootSpanOf(conversation: string, index: number): Promise<Span> {
    const row = await this.#store.getTurn(conversation, index);
    const turn = row && fromBinary(Conversation_TurnSchema, row.body, { recursionLimit: 1_000 });
    return turn?.rootSpan ?? create(SpanSchema, { name: "Turn" });
  }

  /**
   * Appends a turn and its exports, durable when it resolves. `decoded`: all turns after it; its size is that before it. Rejects with ABORTED when
   * another turn came first.
   */
  async append(
    head: ConversationHead,
    row: TurnRow,
    decoded: DecodedTurns,
    exports: readonly ExportRow[],
    lease?: SessionLease,
  ): Promise<void> {
    const size = decoded.size + sizeOf(row);
    this.#keep(await this.#store.appendTurn(head, row, exports, lease), { ...decoded, size });
  }
}

function sizeOf({ body, extra }: TurnRow): number {
  return body.byteLength + extra.length;
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
