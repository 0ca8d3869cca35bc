import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Message, MessageSchema } from "@frontdesk/protos/gda/data_chat_service";
import type { Clock, Ids } from "#base";
import { toStatusError } from "#status";
import { ReadAhead } from "./read-ahead.ts";

export interface ToldAnswerDeps {
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * An answer that says why it ends early: a failure after the first message is a message too, since clients of some SDKs see no
 * other (reference section 1.9), and then the failure. One before the first message is the failure alone.
 */
export async function* toldAnswer(
  messages: AsyncIterable<Message>,
  signal: AbortSignal,
  deps: ToldAnswerDeps,
): AsyncGenerator<Message, void> {
  let begun = false;
  try {
    for await (const message of messages) {
      begun = true;
      yield message;
    }
  } catch (error) {
    if (begun) yield failure(error, signal, deps);
    throw error;
  }
}

function failure(error: unknown, { aborted }: AbortSignal, { clock, ids }: ToldAnswerDeps): Message {
  const text = aborted
    ? "The question was cancelled before it was answered. Ask again to get an answer."
    : `${toStatusError(error).rawMessage} The answer ends here; ask again, or ask something simpler.`;
  return create(MessageSchema, {
    timestamp: timestampFromMs(Math.floor(clock.now())),
    messageId: ids.uuid(),
    kind: { case: "systemMessage", value: { kind: { case: "error", value: { text } } } },
  });
}

/**
 * An answer every message of which is stored before it is sent, after the question; those that come while others are being stored
 * share a write. A question that is refused before its first message leaves no trace. When the reader leaves, why the answer
 * ended is stored all the same.
 */
export async function* keptAnswer(
  question: Message,
  answer: AsyncGenerator<Message, void>,
  keep: (messages: readonly Message[]) => Promise<void>,
): AsyncGenerator<Message, void> {
  const ahead = new ReadAhead(answer);
  let unkept: readonly Message[] = [question];
  let hasReader = true;
  try {
    for (let some = await ahead.take(); some.length > 0; some = await ahead.take()) {
      await keep([...unkept, ...some]);
      unkept = [];
      hasReader = false; // Unless it comes back from this.
      yield* some;
      hasReader = true;
    }
  } finally {
    if (!hasReader) await keepRest(answer, ahead, keep);
  }
}

/** The signal of the call has ended the answer by now, so this does not wait for long. */
async function keepRest(
  answer: AsyncGenerator<Message, void>,
  ahead: ReadAhead<Message>,
  keep: (messages: readonly Message[]) => Promise<void>,
): Promise<void> {
  const stopped = answer.return();
  const rest = await ahead.rest();
  await stopped;
  if (rest.length > 0) await keep(rest);
}
