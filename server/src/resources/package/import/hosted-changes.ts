import { ExecutionType } from "@frontdesk/protos/ces/common";
import type { Tool } from "@frontdesk/protos/ces/tool";
import type { InspectPython } from "../../contract.ts";
import { limitConcurrency } from "../../python/concurrency-limit.ts";
import type { NamedResource } from "./assign-names.ts";

/** Files that are looked at at the same time: the sandbox refuses calls of an app of which hundreds wait. */
const MAX_CHECKS = 4;

/** Warnings for values of tools that the hosted product changes on import without a word (PY-48). */
export async function hostedChanges(
  resources: readonly NamedResource[],
  inspect: InspectPython,
): Promise<readonly string[]> {
  const limited = limitConcurrency(MAX_CHECKS);
  const changes = resources.map(({ message, path }) =>
    message.$typeName === "google.cloud.ces.v1beta.Tool" ? limited(() => changeOf(message, path, inspect)) : undefined,
  );
  return (await Promise.all(changes)).filter((change) => change !== undefined);
}

async function changeOf(tool: Tool, path: string, inspect: InspectPython): Promise<string | undefined> {
  const { toolType, executionType } = tool;
  if (toolType.case === "remoteAgentTool" && executionType === ExecutionType.ASYNCHRONOUS)
    return `${path}: executionType: the hosted product drops ASYNCHRONOUS of a remote agent tool on import; it was kept here.`;
  if (toolType.case !== "pythonFunction" || toolType.value.description.trim() === "") return undefined;
  const { name, description, pythonCode } = toolType.value;
  // What is wrong with the code is reported where the code is checked.
  const module = await inspect(pythonCode).catch(() => undefined);
  if (module?.kind !== "module") return undefined;
  const entry = name === "" ? module.functions[0] : module.functions.find((each) => each.name === name);
  if (!entry || withoutBlanks(entry.docstring) === withoutBlanks(description)) return undefined;
  const why = `'${entry.name}' has ${entry.docstring === "" ? "none" : "another"}`;
  return `${path}: pythonFunction.description: was ignored, because a Python tool is described by the docstring of its function: ${why}.`;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
