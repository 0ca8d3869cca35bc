import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Message, MessageSchema } from "@frontdesk/protos/gda/data_chat_service";
import type { Clock, Ids } from "#base";
import { toStatusError } from "#status";
import { ReadAhead } from "./read-ahead.ts";

interface ErrorMessageDeps {
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Adds an error message to a stream that fails after its first message, because clients of some SDKs see no other error
 * (CA-10); then the stream fails. A failure before the first message adds none.
 */
export async function* withErrorMessage(
  messages: AsyncIterable<Message>,
  signal: AbortSignal,
  deps: ErrorMessageDeps,
): AsyncGenerator<Message, void> {
  let begun = false;
  try {
    for await (const message of messages) {
      begun = true;
      yield message;
    }
  } catch (error) {
    if (begun) yield errorMessage(error, signal, deps);
    throw error;
  }
}

function errorMessage(error: unknown, { aborted }: AbortSignal, { clock, ids }: ErrorMessageDeps): Message {
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
 * Stores every message of an answer before it is sent, the question first (CA-11). Messages that arrive during a write share the next one. A
 * question that fails before its first message is not stored. When the reader leaves, the rest of the answer is stored all the same.
 */
export async function* storeBeforeSending(
  question: Message,
  answer: AsyncGenerator<Message, void>,
  store: (messages: readonly Message[]) => Promise<void>,
): AsyncGenerator<Message, void> {
  const ahead = new ReadAhead(answer);
  let unstored: readonly Message[] = [question];
  let hasReader = true;
  try {
    for (let batch = await ahead.take(); batch.length > 0; batch = await ahead.take()) {
      await store([...unstored, ...batch]);
      unstored = [];
      hasReader = false; // Stays false when the reader leaves at this yield.
      yield* batch;
      hasReader = true;
    }
  } finally {
    if (!hasReader) await storeRest(answer, ahead, store);
  }
}

/** The signal of the call has ended the answer by now, so the wait is short. */
async function storeRest(
  answer: AsyncGenerator<Message, void>,
  ahead: ReadAhead<Message>,
  store: (messages: readonly Message[]) => Promise<void>,
): Promise<void> {
  const stopped = answer.return();
  const rest = await ahead.rest();
  await stopped;
  if (rest.length > 0) await store(rest);
}
