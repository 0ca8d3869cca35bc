import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import { definedFields } from "#base";
import { TEST_APP } from "./app-snapshot.ts";
import { say } from "./scripted-model.ts";

type GuardrailInit = MessageInitShape<typeof GuardrailSchema>;

export type GuardrailType = NonNullable<GuardrailInit["guardrailType"]>;

export const STOP: GuardrailInit["action"] = {
  action: { case: "respondImmediately", value: { responses: [{ text: "Stopped." }] } },
};

/** An app with one guardrail, at the app or at the agent. */
export function guarded(guardrailType: GuardrailType, action: GuardrailInit["action"] = STOP) {
  const name = `${TEST_APP}/guardrails/g`;
  return {
    app: { guardrails: [name] },
    more: { guardrails: [{ name, displayName: "G", enabled: true, guardrailType, ...definedFields({ action }) }] },
  };
}

export const verdict = (triggered: boolean, reason = "because") => say(JSON.stringify({ triggered, reason }));

export function guardrailSpans(outputs: readonly SessionOutput[]) {
  return outputs
    .at(-1)
    ?.diagnosticInfo?.rootSpan?.childSpans.filter(({ name }) => name === "Guardrail")
    .map(({ attributes }) => attributes);
}

export const policy = (value: object = {}): GuardrailType => ({
  case: "llmPolicy",
  value: { prompt: "No {topic}. {unknown}", ...value },
});

export const POLITICS = "What do you think of the election?";
