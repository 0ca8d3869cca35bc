import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type StreamChatAiAssistantResponse as Event,
  StreamChatAiAssistantResponseSchema as EventSchema,
} from "@frontdesk/protos/ces/session_service";
import { AsyncQueue, type Clock, type Ids } from "#base";

type EventContent = NonNullable<MessageInitShape<typeof EventSchema>["event"]>;

/** The events of one turn, for all who follow it (ASST-5). */
export class TurnLog {
  readonly id: string;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #events: Event[] = [];
  readonly #followers = new Set<AsyncQueue<Event>>();
  #hasEnded = false;

  constructor({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
    this.#clock = clock;
    this.#ids = ids;
    this.id = ids.uuid();
  }

  /** Tells an event. */
  send(event: EventContent): void {
    const sent = this.#event(event, this.#events.length + 1, true);
    this.#events.push(sent);
    for (const follower of this.#followers) follower.push(sent);
  }

  /** Tells the last event. */
  end(reason: string): void {
    const finalSequenceNumber = BigInt(this.#events.length + 1);
    const value = { turnId: this.id, reason, finalSequenceNumber };
    const last = this.#event({ case: "turnCompleted", value }, Number(finalSequenceNumber), false);
    this.#events.push(last);
    this.#hasEnded = true;
    for (const follower of this.#followers) {
      follower.push(last);
      follower.end();
    }
    this.#followers.clear();
  }

  /** All events, those to come included. */
  async *follow(): AsyncGenerator<Event, void> {
    yield* this.#from(0);
  }

  /** One event with what was sent so far, then those to come. */
  async *resume(): AsyncGenerator<Event, void> {
    const sent = this.#hasEnded ? this.#events.length - 1 : this.#events.length;
    const events = compacted(this.#events.slice(0, sent));
    const value = { turnId: this.id, events, resolvedSequenceNumber: BigInt(sent) };
    yield this.#event({ case: "resumeSnapshot", value }, sent, !this.#hasEnded);
    yield* this.#from(sent);
  }

  async *#from(position: number): AsyncGenerator<Event, void> {
    const queue = new AsyncQueue<Event>();
    for (const event of this.#events.slice(position)) queue.push(event);
    if (this.#hasEnded) queue.end();
    else this.#followers.add(queue);
    try {
      yield* queue;
    } finally {
      this.#followers.delete(queue);
    }
  }

  #event(event: EventContent, sequenceNumber: number, turnInProgress: boolean): Event {
    return create(EventSchema, {
      eventId: this.#ids.uuid(),
      eventTime: timestampFromMs(Math.floor(this.#clock.now())),
      event,
      sequenceNumber: BigInt(sequenceNumber),
      turnInProgress,
    });
  }
}

/** Without what only says that something is being done. */
function compacted(events: readonly Event[]): Event[] {
  return events.filter(({ event }) => event.case !== "status");
}
