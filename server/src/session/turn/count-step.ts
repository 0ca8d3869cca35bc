import type { Message } from "@frontdesk/protos/ces/example";
import { isJsonObject } from "#base";
import type { Turn } from "./turn-context.ts";

/** What counts a step of its turn. */
type CountingTurn = Pick<Turn, "request" | "events"> & {
  readonly state: Pick<Turn["state"], "countModelCall">;
  readonly engine: Pick<Turn["engine"], "maxModelCalls" | "logger">;
};

/**
 * Counts a step before it is made; INVALID_ARGUMENT for one too many, in the hosted product's words (TURN-3). Nothing of such a turn is stored, so the log
 * says what it did: code that calls what its agent does not list goes in circles like this.
 */
export function countStep({ request, events, state, engine }: CountingTurn): void {
  try {
    state.countModelCall(engine.maxModelCalls);
  } catch (error) {
    const steps = stepsOf(events.messages);
    engine.logger.warn({ session: request.session, steps }, "a turn reached the limit of its steps");
    throw error;
  }
}

/** What agents called and where they transferred, in order, and which calls failed. */
function stepsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, chunks }) =>
    chunks.flatMap(({ data }) => {
      if (data.case === "agentTransfer") return [`${role} transfers to ${data.value.displayName}`];
      if (data.case === "toolCall") return [`${role} calls ${data.value.displayName}`];
      if (data.case !== "toolResponse" || !isJsonObject(data.value.response)) return [];
      const { status, error } = data.value.response;
      return status === "error" && typeof error === "string" ? [`${data.value.displayName} fails: ${error}`] : [];
    }),
  );
}
