import type { TriggerAction_GenerativeAnswer, TriggerAction_RespondImmediately } from "@frontdesk/protos/ces/common";
import type { Guardrail } from "@frontdesk/protos/ces/guardrail";
import { unreachable } from "#base";
import { failedPrecondition, invalidArgument } from "#status";
import { textOf } from "../callbacks/python-content.ts";
import type { TurnEvent } from "../contract.ts";
import { emptyAnswer } from "../model-call/call-model.ts";
import { callModelWithinContext } from "../model-call/fit-context.ts";
import { substituteVariables } from "../model-call/instruction-template.ts";
import { ModelFailure } from "../model-call/model-failure.ts";
import { modelSettingsOf } from "../model-call/model-settings.ts";
import { stateValues } from "../state/variables.ts";
import { traceTransfer, transferChunk } from "../transfers/transfer-to-agent.ts";
import type { NextStep, Turn } from "../turn/turn-context.ts";

/**
 * What a triggered guardrail does instead of letting the text pass (`TriggerAction`; GUARD-15). `judge`: the first guardrail that does not let a text
 * pass; of what a model writes for one, another one may take the place, and a second text by a model is a failure of it (GUARD-6).
 */
export async function* takeAction(
  turn: Turn,
  { name, displayName, action }: Guardrail,
  judge: (text: string) => Promise<Guardrail | undefined>,
): AsyncGenerator<TurnEvent, NextStep> {
  const chosen = action?.action ?? { case: undefined };
  // An answer that is not sent has no sources to cite.
  turn.state.clearSources();
  switch (chosen.case) {
    case undefined:
      // The hosted service's words (GUARD-16).
      throw invalidArgument({ field: "", description: "Trigger action type is not supported: ACTION_NOT_SET" });
    case "respondImmediately":
      yield* turn.events.respond([{ kind: "text", text: pickResponse(turn, chosen.value, displayName) }]);
      return { kind: "respond" };
    case "generativeAnswer": {
      const text = yield* generate(turn, chosen.value);
      const triggered = await judge(text);
      if (triggered?.action?.action.case === "generativeAnswer")
        throw blockedAnswer(displayName, triggered.displayName);
      if (triggered) return yield* takeAction(turn, triggered, judge);
      yield* turn.events.respond([{ kind: "text", text }]);
      return { kind: "respond" };
    }
    case "transferAgent": {
      const agent = turn.index.agents.get(chosen.value.agent);
      if (!agent)
        throw failedPrecondition(
          `Guardrail '${displayName}' transfers to '${chosen.value.agent}', which does not exist.`,
        );
      if (!turn.state.markTransferred(name)) throw blockedAgain(displayName, agent.displayName);
      yield* turn.events.record(turn.state.agent.displayName, [transferChunk(agent)]);
      traceTransfer(turn.spans, turn.state.agent, agent, { guardrail: displayName });
      return { kind: "enter-agent", agent };
    }
    default:
      return unreachable(chosen);
  }
}

function blockedAnswer(guardrail: string, by: string): ModelFailure {
  const message = `What a model wrote for guardrail '${guardrail}' was blocked by guardrail '${by}', so there is no answer.`;
  return new ModelFailure(
    "answer_blocked",
    failedPrecondition(message, { reason: "GUARDRAIL_ANSWER_BLOCKED", metadata: { guardrail, by } }),
  );
}

/** It would transfer to the same agent until the turn has no steps left (GUARD-33). */
function blockedAgain(guardrail: string, agent: string): ModelFailure {
  const message = `Guardrail '${guardrail}' triggered again after it had transferred to agent '${agent}', so there is no answer.`;
  return new ModelFailure(
    "answer_blocked",
    failedPrecondition(message, { reason: "GUARDRAIL_ANSWER_BLOCKED", metadata: { guardrail, agent } }),
  );
}

/** A random one of the enabled answers (proto comment of `RespondImmediately`). */
function pickResponse({ engine }: Turn, { responses }: TriggerAction_RespondImmediately, guardrail: string): string {
  const enabled = responses.filter(({ disabled }) => !disabled);
  const picked = enabled[Math.floor(engine.random() * enabled.length)];
  if (!picked) throw failedPrecondition(`Guardrail '${guardrail}' has no enabled response to give.`);
  return picked.text;
}

/** A model call of its own: the action's prompt over the conversation, without tools. It does not count as a step of the loop. */
async function* generate(turn: Turn, { prompt }: TriggerAction_GenerativeAnswer): AsyncGenerator<TurnEvent, string> {
  const model = turn.engine.models.resolve(modelSettingsOf(turn).model);
  const answer = yield* callModelWithinContext(
    turn,
    model,
    {
      system: substituteVariables(prompt, stateValues(turn)),
      messages: turn.history.messages(turn.state.agent.displayName),
      tools: [],
    },
    false,
  );
  const text = textOf(answer.parts);
  if (text.trim() === "") throw emptyAnswer(model, answer);
  return text;
}
