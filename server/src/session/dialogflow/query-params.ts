import type { Agent_RemoteDialogflowAgent as RemoteAgent } from "@frontdesk/protos/ces/agent";
import type { JsonObject } from "#base";
import type { TurnRun } from "../turn/turn-context.ts";

/**
 * The `QueryParameters` of a query. A flow that begins gets its start page, the mapped variables and whatever clients sent beside
 * the declared ones; later only what this turn brought, since the flow may have changed its parameters since.
 */
export function queryParams(turn: TurnRun, remote: RemoteAgent, begins: boolean): JsonObject {
  const { request, index } = turn;
  const timeZone = request.config.timeZone || index.timeZone;
  const parameters = begins ? atStart(turn, remote) : thisTurn(turn, remote);
  const { webhookHeaders = {}, payload, endUserMetadata } = request.config.remoteDialogflowQueryParameters ?? {};
  return {
    ...(timeZone && { timeZone }),
    ...(begins && remote.flowId && { currentPage: `${remote.agent}/flows/${remote.flowId}/pages/START_PAGE` }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(payload && { payload }),
    ...(endUserMetadata && { endUserMetadata }),
    ...(Object.keys(webhookHeaders).length > 0 && { webhookHeaders }),
  };
}

function atStart({ dialogflow, variables }: TurnRun, remote: RemoteAgent): JsonObject {
  return { ...dialogflow.unrecognized, ...mapped(remote, variables.values) };
}

function thisTurn({ input }: TurnRun, remote: RemoteAgent): JsonObject {
  return { ...input.unrecognized, ...mapped(remote, input.variables) };
}

function mapped({ inputVariableMapping }: RemoteAgent, values: JsonObject): JsonObject {
  const entries = Object.entries(inputVariableMapping).flatMap(([variable, parameter]) => {
    const value = values[variable];
    return value === undefined ? [] : [[parameter, value] as const];
  });
  return Object.fromEntries(entries);
}
