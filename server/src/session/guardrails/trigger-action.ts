import type { TriggerAction_GenerativeAnswer, TriggerAction_RespondImmediately } from "@frontdesk/protos/ces/common";
import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import { unreachable } from "#base";
import { failedPrecondition, invalidArgument } from "#status";
import type { TurnEvent } from "../contract.ts";
import { substituteVariables } from "../model-call/instruction-template.ts";
import { callModel } from "../model-call/model-call.ts";
import { textOf } from "../model-call/model-output.ts";
import { predefinedOf } from "../state/variables.ts";
import { traceTransfer, transferChunk } from "../turn/act-on-output.ts";
import { NO_SOURCES } from "../turn/cite-sources.ts";
import { record, say } from "../turn/events.ts";
import type { NextStep, TurnRun } from "../turn/turn-context.ts";

/** What a triggered guardrail does instead of letting the text pass (`TriggerAction`; GUARD-15). */
export async function* takeAction(
  turn: TurnRun,
  { displayName, action }: Guardrail,
): AsyncGenerator<TurnEvent, NextStep> {
  const chosen = action?.action ?? { case: undefined };
  // What was found is not told either where what was said of it is not.
  turn.sources = NO_SOURCES;
  switch (chosen.case) {
    case undefined:
      // The hosted service's words (GUARD-16).
      throw invalidArgument({ field: "", description: "Trigger action type is not supported: ACTION_NOT_SET" });
    case "respondImmediately":
      yield* say(turn, [{ kind: "text", text: pickResponse(turn, chosen.value, displayName) }]);
      return { kind: "respond" };
    case "generativeAnswer":
      yield* say(turn, [{ kind: "text", text: yield* generate(turn, chosen.value) }]);
      return { kind: "respond" };
    case "transferAgent": {
      const agent = turn.index.agents.get(chosen.value.agent);
      if (!agent)
        throw failedPrecondition(
          `Guardrail '${displayName}' transfers to '${chosen.value.agent}', which does not exist.`,
        );
      yield* record(turn, turn.agent.displayName, [transferChunk(agent)]);
      traceTransfer(turn, agent, { guardrail: displayName });
      return { kind: "enter-agent", agent };
    }
    default:
      return unreachable(chosen);
  }
}

/** A random one of the enabled answers (proto comment of `RespondImmediately`). */
function pickResponse({ engine }: TurnRun, { responses }: TriggerAction_RespondImmediately, guardrail: string): string {
  const enabled = responses.filter(({ disabled }) => !disabled);
  const picked = enabled[Math.floor(engine.random() * enabled.length)];
  if (!picked) throw failedPrecondition(`Guardrail '${guardrail}' has no enabled response to give.`);
  return picked.text;
}

/** A model call of its own: the action's prompt over the conversation, without tools. It is no pass of the loop. */
async function* generate(turn: TurnRun, { prompt }: TriggerAction_GenerativeAnswer): AsyncGenerator<TurnEvent, string> {
  const model = turn.engine.models.resolve(turn.agent.model);
  const values = { ...predefinedOf(turn), ...turn.variables.values };
  const answer = yield* callModel(
    turn,
    model,
    { system: substituteVariables(prompt, values), messages: turn.history.messages(), tools: [] },
    false,
  );
  return textOf(answer.parts);
}
