import type { App } from "@frontdesk/protos/ces/app";
import { guardrails } from "../../api/kinds/guardrails.ts";
import { tools } from "../../api/kinds/tools.ts";
import { toolsets } from "../../api/kinds/toolsets.ts";
import { addressOf, titleOf } from "../../api/resource-address.ts";
import { useResources } from "../../api/use-resources.ts";
import { parseProblem } from "../resources/problem.ts";
import { ProblemList } from "../resources/problem-list.tsx";

/** What the server found wrong with an app, each with the way to the resource it is about. */
export function AppProblems({ app }: { readonly app: App }) {
  const toolList = useResources(tools, app.name).data ?? [];
  const toolsetList = useResources(toolsets, app.name).data ?? [];
  const guardrailList = useResources(guardrails, app.name).data ?? [];
  const pages = new Map<string, string>([
    ...toolList.map((one) => [`Tool '${titleOf(one)}'`, one.name] as const),
    ...toolsetList.map((one) => [`Toolset '${titleOf(one)}'`, one.name] as const),
    ...guardrailList.map((one) => [`Guardrail '${titleOf(one)}'`, one.name] as const),
  ]);
  const problems = app.validationErrors.map(parseProblem).map((problem) => {
    const name = pages.get(problem.subject);
    return { problem, ...(name && { to: addressOf(name) }) };
  });
  return <ProblemList problems={problems} />;
}
