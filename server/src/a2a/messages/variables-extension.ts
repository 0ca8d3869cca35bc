import type { Message } from "@frontdesk/protos/ces/example";
import type { JsonObject } from "#base";

/**
 * URI of the extension by which a client gets the variables that the agents have set in its task, as metadata of the task under this very
 * name (A2A-11). Variables go in as metadata of messages without it.
 */
export const VARIABLES_EXTENSION = "urn:frontdesk:a2a:variables:v1";

/** The variables that agents, callbacks and tools set in a message of the record. */
export function setVariablesOf({ role, chunks }: Message): JsonObject {
  if (role === "user") return {};
  return Object.assign(
    {},
    ...chunks.map(({ data }) => (data.case === "updatedVariables" ? (data.value as JsonObject) : {})),
  );
}
