import { createHash } from "node:crypto";
import { type DescMessage, fromBinary, type Message, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { Clock } from "#base";
import { invalidArgument } from "#status";
import type { ResourceStore, ResourceWrite } from "#storage";

/** Row type of stored responses of requests with a `request_id`. */
export const COMPLETED_REQUEST_TYPE = "frontdesk/CompletedRequest";

/** Milliseconds that a response is stored for repeated requests: an hour, as the API documents. */
export const REQUEST_RETENTION_MS = 60 * 60_000;

/** A request that a client may repeat. */
interface IdempotentRequest<O extends DescMessage> {
  /** Location below which the id counts. */
  readonly parent: string;
  /** UUID of the client; "" for none. */
  readonly requestId: string;
  /** The request; another request with the same id is INVALID_ARGUMENT. */
  readonly content: Uint8Array;
  readonly response: O;
}

/** Runs a request with an id once, however often it is sent (AIP-155). */
export interface IdempotencyStore {
  /**
   * `work` gets a function that makes the write by which its answer is remembered, to be stored in one go with its own writes;
   * a repetition within an hour gets that answer and does nothing.
   */
  runOnce<O extends DescMessage>(
    request: IdempotentRequest<O>,
    work: (remember: (answer: MessageShape<O>) => readonly ResourceWrite[]) => Promise<MessageShape<O>>,
  ): Promise<MessageShape<O>>;
}

interface IdempotencyStoreDeps {
  readonly store: Pick<ResourceStore, "get">;
  readonly clock: Clock;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ZERO = /^[0-]+$/;

/** Creates the memory of answered requests; repetitions that come while the first still runs wait for it. */
export function createIdempotencyStore({ store, clock }: IdempotencyStoreDeps): IdempotencyStore {
  const running = new Map<string, { readonly digest: string; readonly answer: Promise<Message> }>();

  return {
    async runOnce(request, work) {
      const { parent, requestId, content, response } = request;
      if (requestId === "") return work(() => []);
      checkRequestId(requestId);
      const name = `${parent}/completedRequests/${requestId.toLowerCase()}`;
      const digest = digestOf(response, content);
      const before = running.get(name);
      if (before)
        return sameRequest(before.digest, digest, () => before.answer as Promise<MessageShape<typeof response>>);
      const answer = repeatOrWork();
      running.set(name, { digest, answer });
      try {
        return await answer;
      } finally {
        running.delete(name);
      }

      async function repeatOrWork(): Promise<MessageShape<typeof response>> {
        const row = await store.get(name);
        if (row && clock.now() - row.createTime < REQUEST_RETENTION_MS) {
          return sameRequest(row.etag, digest, async () => fromBinary(response, row.body));
        }
        return work((done) => [remembering(name, parent, digest, toBinary(response, done), clock.now())]);
      }
    },
  };
}

function remembering(name: string, parent: string, digest: string, body: Uint8Array, now: number): ResourceWrite {
  const row = {
    name,
    type: COMPLETED_REQUEST_TYPE,
    parent,
    displayName: "",
    createTime: now,
    updateTime: now,
    etag: digest,
    body,
  };
  return { kind: "put", row };
}

function sameRequest<T>(known: string, digest: string, answer: () => Promise<T>): Promise<T> {
  if (known === digest) return answer();
  const description = "This id was used for another request within the last hour. Use a new one.";
  throw invalidArgument({ field: "request_id", description });
}

function checkRequestId(requestId: string): void {
  if (UUID.test(requestId) && !ZERO.test(requestId)) return;
  const description = `'${requestId}' is no UUID, or the one of zeros. Use a new random UUID for each request.`;
  throw invalidArgument({ field: "request_id", description });
}

function digestOf({ typeName }: DescMessage, content: Uint8Array): string {
  return createHash("sha256").update(`${typeName}\n`).update(content).digest("base64url");
}
