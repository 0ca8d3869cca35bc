import type { App } from "@frontdesk/protos/ces/app";
import { pagePath, resourceTitle } from "../../api/resource-names.ts";
import { guardrails, tools, toolsets } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { parseValidationError } from "../resources/validation-error.ts";
import type { LocatedValidationError } from "../resources/validation-error-list.tsx";

/** What the server found wrong with an app, each with the way to the resource it is about. None of no app. */
export function useAppValidationErrors(app: App | undefined): readonly LocatedValidationError[] {
  const name = app?.name ?? "";
  const toolList = useResources(tools, name).data ?? [];
  const toolsetList = useResources(toolsets, name).data ?? [];
  const guardrailList = useResources(guardrails, name).data ?? [];
  const pages = new Map<string, string>([
    ...toolList.map((one) => [`Tool '${resourceTitle(one)}'`, one.name] as const),
    ...toolsetList.map((one) => [`Toolset '${resourceTitle(one)}'`, one.name] as const),
    ...guardrailList.map((one) => [`Guardrail '${resourceTitle(one)}'`, one.name] as const),
  ]);
  return (app?.validationErrors ?? []).map(parseValidationError).map((problem) => {
    const found = pages.get(problem.subject);
    if (found) return { problem, to: pagePath(found), ...atLine(problem) };
    return problem.text.startsWith("root_agent ")
      ? { problem: { ...problem, subject: "Agents" }, to: `${pagePath(name)}/agents` }
      : { problem };
  });
}

function atLine({ line }: { readonly line: number }) {
  return line > 0 ? { search: { line } } : {};
}
