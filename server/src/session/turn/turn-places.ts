import type { ConversationStore, SessionLease } from "#storage";
import type { TurnEvent, TurnForwarding, TurnRequest } from "../contract.ts";

/** Where a turn runs: here, under a lease where there are other servers, or on the server that is at its session. */
type TurnPlace =
  | { readonly kind: "here"; readonly lease: SessionLease | undefined }
  | { readonly kind: "elsewhere"; readonly events: AsyncIterable<TurnEvent> };

/** Finds the places of turns among the servers of a database. */
export class TurnPlaces {
  readonly #leases: ConversationStore["leases"];
  readonly #forwarding: TurnForwarding | undefined;

  /** `leases`: undefined where one server has all sessions. */
  constructor(leases: ConversationStore["leases"], forwarding: TurnForwarding | undefined) {
    this.#leases = leases;
    this.#forwarding = forwarding;
  }

  /** Waits for the session where no other server takes the turn. Rejects with the signal's reason. */
  async take(request: TurnRequest, conversation: string, signal: AbortSignal): Promise<TurnPlace> {
    if (!this.#leases) return { kind: "here", lease: undefined };
    if (this.#forwarding && request.isForwardable) {
      const lease = await this.#leases.tryAcquire(conversation);
      if (lease) return { kind: "here", lease };
      const holder = await this.#leases.holder(conversation);
      const events = holder && (await this.#forwarding.forward(holder, request, signal));
      if (events) return { kind: "elsewhere", events };
    }
    return { kind: "here", lease: await this.#leases.acquire(conversation, signal) };
  }
}
