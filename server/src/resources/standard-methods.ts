import type { DescMethod, Message } from "@bufbuild/protobuf";
import { classifyMethod } from "#aip";
import { type Clock, type Ids, unreachable } from "#base";
import { unimplemented } from "#status";
import type { ResourceStore } from "#storage";
import type { StandardMethods } from "./contract.ts";
import { definitionOf } from "./definitions.ts";
import { getResource } from "./read/get-resource.ts";
import { listResources } from "./read/list-resources.ts";
import type { AppWriter } from "./write/app-writer.ts";
import { createResource } from "./write/create-resource.ts";
import { deleteResource } from "./write/delete-resource.ts";
import { updateSettings } from "./write/security-settings-writer.ts";
import { updateResource } from "./write/update-resource.ts";

export interface StandardMethodsDeps {
  readonly store: ResourceStore;
  readonly writer: AppWriter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly author: () => string;
}

/** The standard methods of every defined resource, derived from the methods' descriptors. */
export function createStandardMethods(deps: StandardMethodsDeps): StandardMethods {
  async function invoke(method: DescMethod, request: Message): Promise<Message> {
    const roles = classifyMethod(method);
    const definition = roles && definitionOf(roles.resource);
    if (!roles || !definition) throw unimplemented(`${method.parent.typeName}.${method.name}`);
    switch (roles.kind) {
      case "create":
        return createResource(definition, method, roles, request, deps);
      case "get":
        return getResource(definition, method, roles, request, deps);
      case "list":
        return listResources(definition, method, roles, request, deps);
      case "update":
        if (definition.scope === "location") return updateSettings(definition, method, roles, request, deps);
        return updateResource(definition, method, roles, request, deps.writer);
      case "delete":
        return deleteResource(definition, method, roles, request, deps);
      default:
        return unreachable(roles);
    }
  }

  return { handles, invoke };
}

function handles(method: DescMethod): boolean {
  const roles = classifyMethod(method);
  return roles !== undefined && definitionOf(roles.resource) !== undefined;
}
