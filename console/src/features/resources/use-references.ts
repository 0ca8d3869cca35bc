import type { Agent } from "@frontdesk/protos/ces/agent";
import { evaluationDatasets, evaluationExpectations, evaluations } from "../../api/evaluation-resources.ts";
import { parentApp, resourceTitle } from "../../api/resource-names.ts";
import { agents, guardrails, offeredTools, type Resource, toolsets, versions } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import type { Choice } from "../../components/field.tsx";
import { truncate } from "../../components/truncate.ts";
import { isWithin } from "../agents/agent-tree.ts";
import { toolDescription } from "../agents/use-names.ts";
import type { FormContext } from "../message-form/form-context.ts";

/** The resources of an app that its fields can name, by type of resource. */
export function useReferences(name: string): FormContext["resourcesOf"] {
  const app = parentApp(name);
  // Each version is a whole app once more: only what names versions is worth reading them all.
  const isSchedule = name.startsWith(`${app}/scheduledEvaluationRuns/`);
  const namesVersions = isSchedule || name.startsWith(`${app}/deployments/`);
  const namesExpectations = name.startsWith(`${app}/evaluations/`);
  const allAgents = useResources(agents, app).data;
  const lists: Readonly<Record<string, readonly Resource[] | undefined>> = {
    "ces.googleapis.com/Agent": allAgents,
    "ces.googleapis.com/Tool": useResources(offeredTools, app).data,
    "ces.googleapis.com/Toolset": useResources(toolsets, app).data,
    "ces.googleapis.com/Guardrail": useResources(guardrails, app).data,
    "ces.googleapis.com/AppVersion": useResources(versions, namesVersions ? app : "").data,
    "ces.googleapis.com/Evaluation": useResources(evaluations, isSchedule ? app : "").data,
    "ces.googleapis.com/EvaluationDataset": useResources(evaluationDatasets, isSchedule ? app : "").data,
    "ces.googleapis.com/EvaluationExpectation": useResources(evaluationExpectations, namesExpectations ? app : "").data,
  };
  return (type, path) =>
    path === "child_agents" ? allAgents && childChoices(allAgents, name) : lists[type]?.map(toChoice);
}

/** The agents that can be children of an agent: not itself and none above it. Another parent of an agent is named. */
function childChoices(all: readonly Agent[], name: string): readonly Choice<string>[] {
  return all
    .filter((other) => !isWithin(all, other, name))
    .map((other) => {
      const parent = all.find((one) => one.name !== name && one.childAgents.includes(other.name));
      const choice = toChoice(other);
      return parent ? { ...choice, description: `Is a child of ${resourceTitle(parent)}.` } : choice;
    });
}

function toChoice(resource: Resource): Choice<string> {
  const type = "toolType" in resource ? resource.toolType : undefined;
  const own = "description" in resource ? String(resource.description) : "";
  const description = own || (isSet(type) ? toolDescription(type.value) : "");
  return {
    value: resource.name,
    label: resourceTitle(resource),
    description: truncate(description, 160),
  };
}

/** Whether a value is a oneof with a message in it. */
function isSet(value: unknown): value is { readonly value: object } {
  return typeof value === "object" && value !== null && "value" in value && typeof value.value === "object";
}
