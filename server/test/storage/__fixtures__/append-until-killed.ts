import { writeSync } from "node:fs";
import { createLogger, systemClock } from "#base";
import type { ConversationHead, TurnRow } from "#storage";
import { openStorage } from "#storage";

// Run with a folder, it appends turns to several sessions at once, and prints "session index" for each that was acknowledged.
// Imported, it has the expected heads and turns.

const APP = "projects/p/locations/l/apps/a";

export const SESSIONS: readonly string[] = Array.from({ length: 16 }, (_, at) => `s${at}`);

export function sessionName(session: string): string {
  return `${APP}/conversations/${session}`;
}

export function headOf(session: string, turnCount: number): ConversationHead {
  return {
    name: sessionName(session),
    app: APP,
    startTime: 1,
    endTime: turnCount,
    turnCount,
    source: 1,
    inputTypes: [1],
    entryAgent: "agent",
    deployment: "",
    appVersion: "",
    languageCode: "en",
    state: JSON.stringify({ session, turnCount, filler: "x".repeat(turnCount % 3000) }),
  };
}

export function turnOf(session: string, index: number): TurnRow {
  const text = `turn ${index} of ${session}`;
  return { index, body: new TextEncoder().encode(text.repeat(1 + (index % 300))), extra: `{"turn":${index}}`, text };
}

if (import.meta.main) {
  const { conversations } = await openStorage({ dataDir: process.argv[2] ?? "", clock: systemClock, logger: createLogger("silent") });
  const counts = new Map<string, number>();
  for (const session of SESSIONS) counts.set(session, (await conversations.getHead(sessionName(session)))?.turnCount ?? 0);
  await Promise.all(
    SESSIONS.map(async (session) => {
      for (let index = (counts.get(session) ?? 0) + 1; ; index += 1) {
        await conversations.appendTurn(headOf(session, index), turnOf(session, index));
        writeSync(1, `${session} ${index}\n`);
      }
    }),
  );
}
