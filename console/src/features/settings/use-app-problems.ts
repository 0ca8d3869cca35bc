import type { App } from "@frontdesk/protos/ces/app";
import { guardrails } from "../../api/kinds/guardrails.ts";
import { tools } from "../../api/kinds/tools.ts";
import { toolsets } from "../../api/kinds/toolsets.ts";
import { addressOf, titleOf } from "../../api/resource-address.ts";
import { useResources } from "../../api/use-resources.ts";
import { parseProblem } from "../resources/problem.ts";
import type { PlacedProblem } from "../resources/problem-list.tsx";

/** What the server found wrong with an app, each with the way to the resource it is about. None of no app. */
export function useAppProblems(app: App | undefined): readonly PlacedProblem[] {
  const name = app?.name ?? "";
  const toolList = useResources(tools, name).data ?? [];
  const toolsetList = useResources(toolsets, name).data ?? [];
  const guardrailList = useResources(guardrails, name).data ?? [];
  const pages = new Map<string, string>([
    ...toolList.map((one) => [`Tool '${titleOf(one)}'`, one.name] as const),
    ...toolsetList.map((one) => [`Toolset '${titleOf(one)}'`, one.name] as const),
    ...guardrailList.map((one) => [`Guardrail '${titleOf(one)}'`, one.name] as const),
  ]);
  return (app?.validationErrors ?? []).map(parseProblem).map((problem) => {
    const found = pages.get(problem.subject);
    if (found) return { problem, to: addressOf(found), ...atLine(problem) };
    return problem.text.startsWith("root_agent ")
      ? { problem: { ...problem, subject: "Agents" }, to: `${addressOf(name)}/agents` }
      : { problem };
  });
}

function atLine({ line }: { readonly line: number }) {
  return line > 0 ? { search: { line } } : {};
}
