import type { Evaluation_GoldenExpectation } from "@frontdesk/protos/ces/evaluation";
import type { ToolCall, ToolResponse } from "@frontdesk/protos/ces/example";
import { type ObservedCall, toolKey } from "../observation/observed-turn.ts";
import type { AlignedCall, Alignment } from "./align-tool-calls.ts";

/** Which call an expected tool response is about. */
export interface ExpectedResponse {
  /** The observed call; undefined when there is none. */
  readonly observed: ObservedCall | undefined;
  /** Whether the call is expected too, so that its absence is the tool call's failure and not the response's. */
  readonly isCallExpected: boolean;
}

/**
 * The call of each expected tool response of a turn. A response belongs to the expected call of its id, else to the first expected call of its
 * tool that has no response yet, and so to the observed call beside that. Where no call is expected it belongs to the next observed
 * call of its tool.
 */
export function expectedResponses(
  expectations: readonly Evaluation_GoldenExpectation[],
  alignment: Alignment,
): ReadonlyMap<Evaluation_GoldenExpectation, ExpectedResponse> {
  const calls = new Set(alignment.calls);
  const unexpected = new Set(alignment.extra);
  const found = new Map<Evaluation_GoldenExpectation, ExpectedResponse>();
  for (const expectation of expectations) {
    const { condition } = expectation;
    if (condition.case !== "toolResponse") continue;
    const call = callOf(condition.value, [...calls]);
    if (call) {
      calls.delete(call);
      found.set(expectation, { observed: call.observed, isCallExpected: true });
      continue;
    }
    const observed = [...unexpected].find((extra) => toolKey(extra.call) === toolKey(condition.value));
    if (observed) unexpected.delete(observed);
    found.set(expectation, { observed, isCallExpected: false });
  }
  return found;
}

function callOf(response: ToolResponse, calls: readonly AlignedCall[]): AlignedCall | undefined {
  const ofTool = calls.filter(({ expectation }) => {
    const call = toolCallOf(expectation);
    return call && toolKey(call) === toolKey(response);
  });
  return (
    ofTool.find(({ expectation }) => response.id !== "" && toolCallOf(expectation)?.id === response.id) ?? ofTool[0]
  );
}

function toolCallOf({ condition }: Evaluation_GoldenExpectation): ToolCall | undefined {
  return condition.case === "toolCall" ? condition.value : undefined;
}
