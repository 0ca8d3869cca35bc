import { type ObservedCall, type ObservedTurn, textOf, toolKey } from "../observation/observed-turn.ts";
import type { Verdict } from "../verdict.ts";
import type { TestCheck } from "./contract.ts";

/** All that the agents said in a turn, on one line. */
export function saidIn({ responses }: ObservedTurn): string {
  return responses
    .map((response) => textOf(response).trim())
    .join(" ")
    .trim();
}

/** What a call's tool is called: its display name, else the last part of its name. */
export function calledTool(observed: ObservedCall): string {
  return observed.call.displayName || toolIdOf(observed);
}

/** The id of a call's tool, in the app or in its toolset. */
export function toolIdOf({ call }: ObservedCall): string {
  const { toolIdentifier } = call;
  if (toolIdentifier.case === "toolsetTool") return toolIdentifier.value.toolId;
  return toolKey(call).slice(toolKey(call).lastIndexOf("/") + 1);
}

/** A check of two texts. */
export function textCheck(
  title: string,
  verdict: Verdict,
  expected: string,
  observed: string,
  explanation = "",
): TestCheck {
  return { title, verdict, expected, observed, explanation, span: "" };
}
