import type { Agent_RemoteDialogflowAgent as RemoteAgent } from "@frontdesk/protos/ces/agent";
import { definedFields, type JsonObject, nonEmptyFields, unreachable } from "#base";
import type { Spans } from "../trace.ts";
import { lastUserText } from "../turn/last-user-text.ts";
import type { TurnContext, TurnView } from "../turn/turn-context.ts";
import type { DialogflowInput } from "./contract.ts";

/** A turn as queries of a flow are made of it. */
type QueryTurn = TurnView & { readonly spans: Pick<Spans, "warn"> };

/**
 * The inputs of a flow in this turn: each input of the user, in order. A flow that begins in a turn without words (the
 * client answered a call) gets the user's last ones.
 */
export function queryInputs(turn: QueryTurn, begins: boolean): readonly DialogflowInput[] {
  const inputs = turn.input.acts.flatMap((act) => toInput(act, turn));
  if (inputs.length > 0 || !begins) return inputs;
  const words = lastUserText(turn);
  return words === undefined ? [] : [{ kind: "text", text: words }];
}

function toInput(act: TurnView["input"]["acts"][number], turn: QueryTurn): readonly DialogflowInput[] {
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

/**
 * The `QueryParameters` of a query. A flow that begins gets its start page, the mapped variables and whatever clients sent beside
 * the declared ones; later only what this turn brought, since the flow may have changed its parameters since.
 */
export function queryParams(turn: TurnView, remote: RemoteAgent, begins: boolean): JsonObject {
  const { request, timeZone } = turn;
  const parameters = begins ? atStart(turn, remote) : thisTurn(turn, remote);
  const { webhookHeaders = {}, payload, endUserMetadata } = request.config.remoteDialogflowQueryParameters ?? {};
  return {
    ...nonEmptyFields({ timeZone }),
    ...(begins && remote.flowId && { currentPage: `${remote.agent}/flows/${remote.flowId}/pages/START_PAGE` }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...definedFields({ payload, endUserMetadata }),
    ...(Object.keys(webhookHeaders).length > 0 && { webhookHeaders }),
  };
}

function atStart({ state, variables }: TurnView, remote: RemoteAgent): JsonObject {
  return { ...state.dialogflow.unrecognized, ...mapped(remote, variables.values) };
}

function thisTurn({ input }: TurnContext, remote: RemoteAgent): JsonObject {
  return { ...input.unrecognized, ...mapped(remote, input.variables) };
}

function mapped({ inputVariableMapping }: RemoteAgent, values: JsonObject): JsonObject {
  const entries = Object.entries(inputVariableMapping).flatMap(([variable, parameter]) => {
    const value = values[variable];
    return value === undefined ? [] : [[parameter, value] as const];
  });
  return Object.fromEntries(entries);
}
