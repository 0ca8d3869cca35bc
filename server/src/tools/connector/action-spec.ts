import { Action_EntityOperation_OperationType as Operation } from "@frontdesk/protos/ces/connector_tool";
import type { ActionSpec, ConnectorAction, EntityVerb } from "./contract.ts";

const VERBS: ReadonlyMap<Operation, EntityVerb> = new Map([
  [Operation.LIST, "list"],
  [Operation.GET, "get"],
  [Operation.CREATE, "create"],
  [Operation.UPDATE, "update"],
  [Operation.DELETE, "delete"],
]);

/** Parses the action of a connector tool. Returns a validation error without a full stop when it is incomplete. */
export function parseActionSpec(action: ConnectorAction | undefined): ActionSpec | string {
  switch (action?.actionSpec.case) {
    case "connectionActionId":
      return action.actionSpec.value
        ? { kind: "action", id: action.actionSpec.value }
        : "action.connection_action_id is empty";
    case "entityOperation": {
      const { entityId: entity, operation } = action.actionSpec.value;
      const verb = VERBS.get(operation);
      if (!entity) return "action.entity_operation.entity_id is empty";
      return verb ? { kind: "entity", entity, verb } : "action.entity_operation.operation is not set";
    }
    default:
      return "action names neither a connection_action_id nor an entity_operation";
  }
}

/** The tool id of an action in a toolset. */
export function actionSpecId(spec: ActionSpec): string {
  return spec.kind === "action" ? spec.id : `${spec.verb}_${spec.entity}`;
}
