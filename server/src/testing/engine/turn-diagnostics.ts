import assert from "node:assert/strict";
import type { Message } from "@frontdesk/protos/ces/example";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import { TEST_APP } from "./app-snapshot.ts";

export const CONVERSATION = `${TEST_APP}/conversations/session-1`;

/** Role and chunk cases of each message. */
export function shape(messages: readonly Message[]): readonly unknown[] {
  return messages.map(({ role, chunks }) => [role, ...chunks.map(({ data }) => data.case)]);
}

export function diagnostics(outputs: readonly SessionOutput[]) {
  const info = outputs.at(-1)?.diagnosticInfo;
  assert.ok(info?.rootSpan, "the last output has diagnostic info");
  return { messages: info.messages, rootSpan: info.rootSpan };
}
