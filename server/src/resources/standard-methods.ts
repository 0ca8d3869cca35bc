import type { DescMethod, Message } from "@bufbuild/protobuf";
import { classifyMethod } from "#aip";
import { type Clock, definedFields, type Ids, unreachable } from "#base";
import { unimplemented } from "#status";
import type { ResourceStore } from "#storage";
import type { StandardCall, StandardMethods } from "./contract.ts";
import { definitionOf } from "./definitions.ts";
import { getResource } from "./read/get-resource.ts";
import { listResources } from "./read/list-resources.ts";
import type { AppWriter } from "./write/app-writer.ts";
import { createResources } from "./write/create-resource.ts";
import { deleteResource } from "./write/delete-resource.ts";
import { updateSettings } from "./write/security-settings-writer.ts";
import { updateResource } from "./write/update-resource.ts";

interface StandardMethodsDeps {
  readonly store: ResourceStore;
  readonly writer: AppWriter;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The standard methods of every defined resource, derived from the methods' descriptors. */
export function createStandardMethods(writing: StandardMethodsDeps): StandardMethods {
  const checking = withoutWrites(writing);

  async function invoke(method: DescMethod, request: Message, call: StandardCall = {}): Promise<Message> {
    const { validateOnly = false, author = "", shown } = call;
    const deps = validateOnly ? checking : writing;
    const roles = classifyMethod(method);
    const definition = roles && definitionOf(roles.resource);
    if (!roles || !definition) throw unimplemented(`${method.parent.typeName}.${method.name}`);
    switch (roles.kind) {
      case "create": {
        const [created] = await createResources(definition, method, roles, [request], { ...deps, author });
        return created as Message;
      }
      case "get":
        return getResource(definition, method, roles, request, deps);
      case "list":
        return listResources(definition, method, roles, request, definedFields({ ...deps, shown }));
      case "update":
        if (definition.scope === "location") return updateSettings(definition, method, roles, request, deps);
        return updateResource(definition, method, roles, request, { ...deps, author });
      case "delete":
        return deleteResource(definition, method, roles, request, { ...deps, author });
      default:
        return unreachable(roles);
    }
  }

  async function createAll(
    method: DescMethod,
    requests: readonly [Message, ...Message[]],
    { author = "" }: Pick<StandardCall, "author"> = {},
  ): Promise<readonly Message[]> {
    const roles = classifyMethod(method);
    const definition = roles && definitionOf(roles.resource);
    if (roles?.kind !== "create" || !definition) throw unimplemented(`${method.parent.typeName}.${method.name}`);
    return createResources(definition, method, roles, requests, { ...writing, author });
  }

  return { handles, invoke, createAll };
}

/** The same dependencies with a store that ignores writes. */
function withoutWrites(deps: StandardMethodsDeps): StandardMethodsDeps {
  const { store, writer } = deps;
  return {
    ...deps,
    writer: { write: (app, plan, options) => writer.write(app, plan, { ...options, validateOnly: true }) },
    store: {
      get: (name) => store.get(name),
      getMany: (names) => store.getMany(names),
      list: (query) => store.list(query),
      names: (query) => store.names(query),
      children: (parent, types) => store.children(parent, types),
      withChildren: (name, types) => store.withChildren(name, types),
      generation: (name, childTypes) => store.generation(name, childTypes),
      changedSince: (generation, name, childTypes) => store.changedSince(generation, name, childTypes),
      write: async () => {},
    },
  };
}

function handles(method: DescMethod): boolean {
  const roles = classifyMethod(method);
  return roles !== undefined && definitionOf(roles.resource) !== undefined;
}
