import type { TestServer } from "#testing";
import { saying, storeConversation } from "./stored-conversations.ts";

/** Turns of a long conversation. */
export const TURNS = 5_000;

/** Stores a conversation of `TURNS` questions and answers. */
export async function storeLongConversation(server: TestServer, id: string): Promise<void> {
  const turns = Array.from({ length: TURNS }, (_, at) => ({
    messages: [saying("user", `Question ${at + 1}.`), saying("Front desk", `Answer ${at + 1}.`)],
    rootSpan: { name: "Turn", attributes: { agent: "Front desk" } },
  }));
  await storeConversation(server, id, turns);
}
