import type { Agent } from "@frontdesk/protos/ces/agent";
import type { Span } from "@frontdesk/protos/ces/common";
import { ALL_STAGES, callbacksOf, type Stage } from "../app-code-index.ts";

/** One callback of an agent, and whether it ran in a turn. */
interface CallbackRun {
  readonly agent: string;
  /** The agent's resource name. */
  readonly resource: string;
  readonly stage: Stage;
  /** From 0, as validation errors count. */
  readonly at: number;
  readonly description: string;
  readonly runs: number;
  /** Why it did not run or had no effect; "" otherwise. */
  readonly reason: string;
}

/**
 * Every callback of the agents that took part in a turn. A validation error of a callback is the reason why it did not run; without
 * one, the trace shows it: the stage was not reached, or an earlier callback of the stage returned a value.
 */
export function callbackRuns(agents: readonly Agent[], root: Span): readonly CallbackRun[] {
  const spans = root.childSpans;
  const took = new Set([root, ...spans].map(({ attributes = {} }) => String(attributes.agent ?? "")));
  return agents
    .filter(({ displayName }) => took.has(displayName))
    .flatMap((agent) =>
      ALL_STAGES.flatMap((stage) =>
        callbacksOf(agent, stage).map((callback, at): CallbackRun => {
          const ran = spans.filter(
            ({ name, attributes = {} }) =>
              name === "Callback" &&
              attributes.agent === agent.displayName &&
              attributes.stage === stage &&
              attributes.description === callback.description,
          );
          const run = {
            agent: agent.displayName,
            resource: agent.name,
            stage,
            at,
            description: callback.description,
            runs: ran.length,
          };
          return { ...run, reason: reasonOf(agent, run, ran, spans) };
        }),
      ),
    );
}

function reasonOf(
  agent: Agent,
  { stage, at, runs }: Omit<CallbackRun, "reason">,
  ran: readonly Span[],
  spans: readonly Span[],
): string {
  const callback = callbacksOf(agent, stage)[at];
  const field = `${stage}_callbacks[${at}]`;
  const errors = agent.validationErrors
    .filter((error) => error.startsWith(`${field}:`))
    .map((error) => error.slice(field.length + 2));
  const failed = ran.find(({ attributes = {} }) => attributes.error !== undefined)?.attributes?.error;
  if (callback?.disabled) return "Disabled.";
  if (failed !== undefined) return `Failed, so it had no effect: ${[...errors, String(failed)][0]}`;
  if (errors.length > 0) return errors.join(" ");
  if (runs > 0) return "";
  if (callback?.callback.case !== "pythonCode" || callback.callback.value.trim() === "") return "No code.";
  if (!stageCame(stage, agent.displayName, spans)) return STAGE_MISSING[stage];
  const earlier = spans.some(
    ({ attributes = {} }) =>
      attributes.agent === agent.displayName && attributes.stage === stage && attributes.overrides === true,
  );
  return earlier
    ? "An earlier callback of this stage returned a value, which ends the stage."
    : "The turn did not reach this stage. Check the preceding spans.";
}

const STAGE_MISSING: Readonly<Record<Stage, string>> = {
  before_agent: "The agent did not take control in this turn: it was in control already, or lost it immediately.",
  after_agent: "The agent did not finish in this turn.",
  before_model: "The model was not called: an earlier step responded.",
  after_model: "The model did not respond: an earlier step took over.",
  before_tool: "No tool was called.",
  after_tool: "No tool was called.",
};

function stageCame(stage: Stage, agent: string, spans: readonly Span[]): boolean {
  const has = (name: string, more: (attributes: Readonly<Record<string, unknown>>) => boolean = () => true) =>
    spans.some((span) => span.name === name && span.attributes?.agent === agent && more(span.attributes));
  if (has("Callback", (attributes) => attributes.stage === stage)) return true;
  if (stage === "before_model" || stage === "after_model") return has("LLM");
  if (stage === "before_tool" || stage === "after_tool") return has("Tool");
  return false;
}
