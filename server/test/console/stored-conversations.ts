import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Conversation_TurnSchema as TurnSchema } from "@frontdesk/protos/ces/conversation";
import type { TestServer } from "#testing";
import { APP } from "./open-console.ts";

/** A turn as its conversation holds it. */
export type StoredTurn = MessageInitShape<typeof TurnSchema>;

/** Stores turns of a conversation of the example as the engine writes them; saying them one by one would take minutes. */
export async function storeConversation(
  { app }: TestServer,
  id: string,
  turns: readonly StoredTurn[],
  startTime: number = Date.now(),
): Promise<void> {
  const head = {
    name: `${APP}/conversations/${id}`,
    app: APP,
    startTime,
    endTime: startTime,
    source: 1,
    inputTypes: [1],
    entryAgent: "",
    deployment: "",
    appVersion: "",
    languageCode: "en-US",
    state: "{}",
  };
  const writes = turns.map((turn, at) => {
    const body = toBinary(TurnSchema, create(TurnSchema, turn));
    return app.storage.conversations.appendTurn(
      { ...head, turnCount: at + 1 },
      { index: at + 1, body, extra: "", text: textOf(turn) },
    );
  });
  await Promise.all(writes);
}

/** What one side says, as a message of a turn. */
export function saying(role: string, text: string) {
  return { role, chunks: [{ data: { case: "text" as const, value: text } }] };
}

/** What the full-text search finds. */
function textOf({ messages = [] }: StoredTurn): string {
  const texts = messages.flatMap(({ chunks = [] }) =>
    chunks.map(({ data }) => (data?.case === "text" ? String(data.value) : "")),
  );
  return texts.join("\n");
}
