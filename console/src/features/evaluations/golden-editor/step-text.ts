import type { Evaluation_Step as Step } from "@frontdesk/protos/ces/evaluation";
import type { Message } from "@frontdesk/protos/ces/example";

/** The text of a step that is only a text: what the user writes, or what the agent should answer. Undefined for other steps. */
export function stepText({ step }: Step): string | undefined {
  if (step.case === "userInput") return step.value.inputType.case === "text" ? step.value.inputType.value : undefined;
  if (step.case !== "expectation" || step.value.condition.case !== "agentResponse") return undefined;
  return onlyText(step.value.condition.value);
}

/** The step with another text; one that is not only a text stays. */
export function withStepText(whole: Step, text: string): Step {
  const { step } = whole;
  if (step.case === "userInput") {
    return { ...whole, step: { ...step, value: { ...step.value, inputType: { case: "text", value: text } } } };
  }
  if (step.case !== "expectation" || step.value.condition.case !== "agentResponse") return whole;
  const { condition } = step.value;
  const [chunk] = condition.value.chunks;
  if (!chunk) return whole;
  const response = { ...condition.value, chunks: [{ ...chunk, data: { case: "text" as const, value: text } }] };
  return { ...whole, step: { ...step, value: { ...step.value, condition: { ...condition, value: response } } } };
}

function onlyText({ chunks: [chunk, ...more] }: Message): string | undefined {
  return chunk?.data.case === "text" && more.length === 0 ? chunk.data.value : undefined;
}
