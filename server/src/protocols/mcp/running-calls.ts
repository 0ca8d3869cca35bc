import type { JsonObject } from "#base";
import type { JsonRpcMessage, RequestId } from "./json-rpc.ts";

/** A request that is being answered. */
export interface RunningCall {
  /** Fires when its client takes it back. */
  readonly signal: AbortSignal;
  /** It was answered. */
  end(): void;
}

/** The requests that are being answered, so that their clients may take them back (`notifications/cancelled`). */
export interface RunningCalls {
  begin(session: string, id: RequestId): RunningCall;
  /** Takes a request back when a message says so; anything else is left alone. */
  hear(session: string, message: JsonRpcMessage): void;
}

/** Creates the memory. A session is whatever its client says it is: nobody knows it but who was given it. */
export function createRunningCalls(): RunningCalls {
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
    hear: (session, message) => {
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
