import { create, toBinary } from "@bufbuild/protobuf";
import { Conversation_TurnSchema as TurnSchema } from "@frontdesk/protos/ces/conversation";
import { APP, type Console } from "./open-console.ts";

/** Turns of a long conversation. */
export const TURNS = 5_000;

/** Stores a conversation of `TURNS` turns as the engine writes turns; saying them one by one would take minutes. */
export async function storeLongConversation({ server }: Console, name: string): Promise<void> {
  const now = Date.now();
  const head = {
    name,
    app: APP,
    startTime: now,
    endTime: now,
    source: 1,
    inputTypes: [1],
    entryAgent: "",
    deployment: "",
    appVersion: "",
    languageCode: "en-US",
    state: "{}",
  };
  const writes = Array.from({ length: TURNS }, (_, at) => {
    const messages = [
      { role: "user", chunks: [{ data: { case: "text" as const, value: `Question ${at + 1}.` } }] },
      { role: "Front desk", chunks: [{ data: { case: "text" as const, value: `Answer ${at + 1}.` } }] },
    ];
    const rootSpan = { name: "Turn", attributes: { agent: "Front desk" } };
    const body = toBinary(TurnSchema, create(TurnSchema, { messages, rootSpan }));
    const turn = { index: at + 1, body, extra: "", text: "" };
    return server.app.storage.conversations.appendTurn({ ...head, turnCount: at + 1 }, turn);
  });
  await Promise.all(writes);
}
