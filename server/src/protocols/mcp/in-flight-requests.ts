import type { JsonObject } from "#base";
import type { JsonRpcMessage, RequestId } from "./json-rpc.ts";

/** A request without a response yet. */
interface InFlightRequest {
  /** Aborted when the client cancels the request. */
  readonly signal: AbortSignal;
  /** The request has its response. */
  end(): void;
}

/** The requests in flight, so that clients can cancel them (`notifications/cancelled`). */
export interface InFlightRequests {
  begin(session: string, id: RequestId): InFlightRequest;
  /** Cancels the request that a cancellation names; ignores every other message. */
  cancelFor(session: string, message: JsonRpcMessage): void;
}

/** Sessions are not verified: their ids are random, and only the client that got one knows it. */
export function createInFlightRequests(): InFlightRequests {
  const running = new Map<string, AbortController>();
  return {
    begin: (session, id) => {
      const controller = new AbortController();
      const key = keyOf(session, id);
      running.set(key, controller);
      return {
        signal: controller.signal,
        end: () => {
          if (running.get(key) === controller) running.delete(key);
        },
      };
    },
    cancelFor: (session, message) => {
      const id = message.kind === "notification" && cancelledId(message.method, message.params);
      if (typeof id === "string" || typeof id === "number") running.get(keyOf(session, id))?.abort();
    },
  };
}

function cancelledId(method: string, { requestId }: JsonObject) {
  return method === "notifications/cancelled" ? requestId : undefined;
}

function keyOf(session: string, id: RequestId): string {
  return JSON.stringify([session, id]);
}
