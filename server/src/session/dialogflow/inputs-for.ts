import { unreachable } from "#base";
import type { TurnRun } from "../turn/turn-context.ts";
import type { DialogflowInput } from "./contract.ts";

/**
 * What a flow is asked in this turn: each thing the user said or did, in order. A flow that begins in a turn without words (the
 * client answered a call) gets the user's last ones.
 */
export function inputsFor(turn: TurnRun, begins: boolean): readonly DialogflowInput[] {
  const inputs = turn.input.acts.flatMap((act) => toInput(act, turn));
  if (inputs.length > 0 || !begins) return inputs;
  const words = lastWords(turn);
  return words === undefined ? [] : [{ kind: "text", text: words }];
}

function toInput(act: TurnRun["input"]["acts"][number], turn: TurnRun): readonly DialogflowInput[] {
  switch (act.case) {
    case "text":
      return [{ kind: "text", text: act.value }];
    case "event":
      return [{ kind: "event", event: act.value.event }];
    case "dtmf":
      return [digitsOf(act.value)];
    case "image":
    case "blob":
      turn.spans.warn(`A Dialogflow agent takes no ${act.case}: it was not sent.`);
      return [];
    case "audio":
    case "toolResponses":
    case "variables":
    case undefined:
      return [];
    default:
      return unreachable(act);
  }
}

function digitsOf(keys: string): DialogflowInput {
  const finished = keys.length > 1 && keys.endsWith("#");
  return { kind: "dtmf", digits: finished ? keys.slice(0, -1) : keys, finishDigit: finished ? "#" : "" };
}

/** The user's last words; not what the channel or the engine said in the user's place. */
function lastWords({ history }: TurnRun): string | undefined {
  for (const { role, parts } of history.messages().toReversed()) {
    if (role !== "user") continue;
    const words = parts.flatMap((part) =>
      part.kind === "text" && !/^<(?:context|state_update|event)>/.test(part.text) ? [part.text] : [],
    );
    if (words.length > 0) return words.at(-1);
  }
  return undefined;
}
