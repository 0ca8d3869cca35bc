import { isDeepStrictEqual } from "node:util";
import type { Message, ToolResponse } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";

type Chunks = Message["chunks"];

/**
 * Variables that callbacks set after a call, as `variableOf` names them. A message has the changes of its calls and of their callbacks in one place: a
 * counter counts twice when the call sets what its callback will.
 */
export type SetByCallbacks = ReadonlySet<string>;

/** What a call changed, as far as its message shows it: the last completed call gets the changes of all, but not those of callbacks. */
export function changesBy(id: string, { chunks }: Message, setByCallbacks: SetByCallbacks): JsonObject {
  return lastResponse(chunks)?.id === id ? changesOfCalls(chunks, changesIn(chunks), setByCallbacks) : {};
}

/** The changes of a message without those of callbacks. */
export function changesOfCalls(chunks: Chunks, changes: JsonObject, setByCallbacks: SetByCallbacks): JsonObject {
  const last = lastResponse(chunks);
  if (!last) return changes;
  return Object.fromEntries(
    Object.entries(changes).filter(([variable]) => !setByCallbacks.has(variableOf(last, variable))),
  );
}

/** The variables of completed calls that have another value in a message of the second run. */
export function variablesThatDiffer(stored: readonly Message[], again: readonly Message[]): readonly string[] {
  return stored.flatMap(({ chunks }, at) => {
    const last = lastResponse(chunks);
    if (!last) return [];
    const values = changesIn(again[at]?.chunks ?? []);
    return Object.entries(changesIn(chunks)).flatMap(([variable, value]) =>
      isDeepStrictEqual(values[variable], value) ? [] : [variableOf(last, variable)],
    );
  });
}

/** Whether a result says that the call goes on. */
export function isPending({ result, response }: JsonObject): boolean {
  return result === "pending" || response === "pending";
}

/** The last call of a message that is completed in it. */
function lastResponse(chunks: Chunks): ToolResponse | undefined {
  const responses = chunks.flatMap(({ data }) => (data.case === "toolResponse" ? [data.value] : []));
  return responses.findLast(({ response }) => !isPending(response ?? {}));
}

function changesIn(chunks: Chunks): JsonObject {
  const updated = chunks.find(({ data }) => data.case === "updatedVariables")?.data;
  return updated?.case === "updatedVariables" ? updated.value : {};
}

function variableOf({ displayName }: ToolResponse, variable: string): string {
  return JSON.stringify([displayName, variable]);
}
