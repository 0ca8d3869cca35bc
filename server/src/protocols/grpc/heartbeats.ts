import { create, type Message } from "@bufbuild/protobuf";
import { BidiSessionServerMessageSchema, RunSessionResponseSchema } from "@frontdesk/protos/ces/session_service";
import type { RegisteredMethod } from "#rpc";

/** The messages that say nothing, of the methods that have one (WIRE-49): frames of the protocol itself do not pass a proxy, which counts what it passes on. */
const MESSAGES: Readonly<Record<string, () => Message>> = {
  StreamRunSession: () => create(RunSessionResponseSchema),
  BidiRunSession: () => create(BidiSessionServerMessageSchema, { messageType: { case: "sessionOutput", value: {} } }),
};

/** What a method's stream sends when it has sent nothing for a while; undefined when it has no such message. */
export function heartbeatOf({ internalMethod }: RegisteredMethod): Message | undefined {
  return internalMethod.parent.typeName === "google.cloud.ces.v1beta.SessionService"
    ? MESSAGES[internalMethod.name]?.()
    : undefined;
}

/** A stream with `heartbeat` after each `intervalMs` in which it had nothing. */
export async function* withHeartbeats(
  stream: AsyncIterable<Message>,
  heartbeat: Message,
  intervalMs: number,
): AsyncGenerator<Message, void> {
  const iterator = stream[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = iterator.next();
      let step: IteratorResult<Message> | undefined;
      while (!step) {
        step = await within(next, intervalMs);
        if (!step) yield heartbeat;
      }
      isOver = step.done === true;
      if (step.done) return;
      yield step.value;
    }
  } finally {
    // A read that is still open may end long after its reader has left.
    if (!isOver) void iterator.return?.()?.catch(() => {});
  }
}

/** The result of a promise; undefined when it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
