import type { Part } from "@frontdesk/protos/a2a/a2a";
import type { PendingCall } from "#session";
import { dataPart, textPart } from "../messages/to-parts.ts";

/**
 * What the agent asks the client for: what it said, and the calls that the client answers with `toolResponses`, or with words (A2A-10).
 */
export function askedParts(said: readonly Part[], calls: readonly PendingCall[]): readonly Part[] {
  const texts = textsOf(said);
  const words =
    texts.length > 0 ? texts : [textPart(`The result of ${calls.map(({ name }) => name).join(", ")} is needed.`)];
  const toolCalls = calls.map(({ id, name, tool, args }) => ({ id, displayName: name, tool, args }));
  return [...words, dataPart({ toolCalls })];
}

/** The words of an answer, for the message of its task's status. */
export function textsOf(said: readonly Part[]): readonly Part[] {
  return said.filter(({ content }) => content.case === "text");
}
