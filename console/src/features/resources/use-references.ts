import { parentApp, resourceTitle } from "../../api/resource-names.ts";
import { agents, guardrails, offeredTools, type Resource, toolsets, versions } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import type { Choice } from "../../components/field.tsx";
import { toolDescription } from "../agents/use-names.ts";
import type { FormContext } from "../message-form/form-context.ts";

/** The resources of an app that its fields can name, by type of resource. */
export function useReferences(name: string): FormContext["resourcesOf"] {
  const app = parentApp(name);
  // Each version is a whole app once more: only a deployment is worth reading them all.
  const namesVersions = name.startsWith(`${app}/deployments/`);
  const lists: Readonly<Record<string, readonly Resource[] | undefined>> = {
    "ces.googleapis.com/Agent": useResources(agents, app).data,
    "ces.googleapis.com/Tool": useResources(offeredTools, app).data,
    "ces.googleapis.com/Toolset": useResources(toolsets, app).data,
    "ces.googleapis.com/Guardrail": useResources(guardrails, app).data,
    "ces.googleapis.com/AppVersion": useResources(versions, namesVersions ? app : "").data,
  };
  return (type) => lists[type]?.map(toChoice);
}

function toChoice(resource: Resource): Choice<string> {
  const type = "toolType" in resource ? resource.toolType : undefined;
  const own = "description" in resource ? String(resource.description) : "";
  const description = own || (isSet(type) ? toolDescription(type.value) : "");
  return {
    value: resource.name,
    label: resourceTitle(resource),
    description: description.slice(0, 160),
  };
}

/** Whether a value is a oneof with a message in it. */
function isSet(value: unknown): value is { readonly value: object } {
  return typeof value === "object" && value !== null && "value" in value && typeof value.value === "object";
}
