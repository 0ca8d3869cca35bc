import { clone, type DescMessage, type Message } from "@bufbuild/protobuf";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import type { AppTree } from "#resources";
import { invalidArgument } from "#status";
import type { JobResult, Subject } from "../job.ts";

/** A resource of which parts are written anew. */
export type RefinedResource =
  | { readonly part: "agents"; readonly value: Agent }
  | { readonly part: "tools"; readonly value: Tool }
  | { readonly part: "toolsets"; readonly value: Toolset };

/** Texts that can be refined: their paths, and where they are in the message. No path leads to addresses, credentials or names. */
const TEXTS: Readonly<Record<RefinedResource["part"], Readonly<Record<string, readonly string[]>>>> = {
  agents: { instruction: ["instruction"], instructions: ["instruction"], description: ["description"] },
  tools: { "python_function.python_code": ["toolType", "pythonFunction", "pythonCode"] },
  toolsets: {
    description: ["description"],
    "open_api_toolset.open_api_schema": ["toolsetType", "openApiToolset", "openApiSchema"],
  },
};

/** The paths of the texts of a resource that can be refined. */
export function refinablePaths({ part }: RefinedResource): readonly string[] {
  return Object.keys(TEXTS[part]);
}

/** The resource that a request refines: the one in it, or the agent that it names. INVALID_ARGUMENT for none. */
export function refinedResource({ request, agent }: Subject): RefinedResource {
  const { resource } = request;
  switch (resource.case) {
    case "agent":
      return { part: "agents", value: resource.value };
    case "tool":
      return { part: "tools", value: resource.value };
    case "toolset":
      return { part: "toolsets", value: resource.value };
    default:
      if (agent) return { part: "agents", value: agent };
      throw invalidArgument({
        field: "resource",
        description: "Set the agent, tool or toolset whose parts are refined.",
      });
  }
}

/** The text at a path; undefined where the resource has none. */
export function textAt({ part, value }: RefinedResource, path: string): string | undefined {
  const [field = "", member, text] = TEXTS[part][path] ?? [];
  const found = (value as unknown as Record<string, unknown>)[field];
  if (member === undefined || text === undefined) return typeof found === "string" ? found : undefined;
  const choice = found as { readonly case?: string; readonly value?: Record<string, unknown> };
  const inside = choice.case === member ? choice.value?.[text] : undefined;
  return typeof inside === "string" ? inside : undefined;
}

/** A copy of a resource with another text at a path that it has. */
export function withText(resource: RefinedResource, path: string, replacement: string): RefinedResource {
  const [field = "", , text] = TEXTS[resource.part][path] ?? [];
  const copy = copyOf(resource);
  const value = copy.value as unknown as Record<string, unknown>;
  if (text === undefined) value[field] = replacement;
  else (value[field] as { value: Record<string, unknown> }).value[text] = replacement;
  return copy;
}

function copyOf(resource: RefinedResource): RefinedResource {
  const copied = <M extends Message>(schema: DescMessage, value: M) => clone(schema, value) as M;
  switch (resource.part) {
    case "agents":
      return { part: "agents", value: copied(AgentSchema, resource.value) };
    case "tools":
      return { part: "tools", value: copied(ToolSchema, resource.value) };
    case "toolsets":
      return { part: "toolsets", value: copied(ToolsetSchema, resource.value) };
  }
}

/** An app with a resource in place of the one of its name or display name, or besides the others. */
export function withResource(tree: AppTree, resource: RefinedResource, id: string): AppTree {
  const list: readonly (Agent | Tool | Toolset)[] = tree[resource.part];
  const { name, displayName } = resource.value;
  const at = list.findIndex((one) => (name === "" ? one.displayName === displayName : one.name === name));
  const named = { ...resource.value, name: list[at]?.name ?? (name || `${tree.app.name}/${resource.part}/${id}`) };
  return { ...tree, [resource.part]: at < 0 ? [...list, named] : list.with(at, named) };
}

/** A resource as the response carries it. */
export function responseOf(resource: RefinedResource): JobResult["resource"] {
  switch (resource.part) {
    case "agents":
      return { case: "agent", value: resource.value };
    case "toolsets":
      return { case: "toolset", value: resource.value };
    case "tools": {
      const $typeName = "google.cloud.ces.v1beta.GenerateAppResourceResponse.Tools";
      return { case: "tools", value: { $typeName, tools: [resource.value] } };
    }
  }
}
