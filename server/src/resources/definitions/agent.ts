import { clone } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { defineResource } from "../define-resource.ts";
import { fullToolName } from "../system-tools.ts";
import { withDerived } from "../with-derived.ts";
import { secondParents } from "./agent-graph.ts";
import { agentProblems } from "./agent-problems.ts";

/** Agents: one tree an app, wired to tools, toolsets and guardrails. */
export const agents = defineResource(AgentSchema, "app", {
  uniqueDisplayName: true,
  normalize: (agent, app) => {
    const copy = clone(AgentSchema, agent);
    copy.tools = agent.tools.map((tool) => fullToolName(app, tool));
    return copy;
  },
  validate: (agent, state) => secondParents(agent, state.list(AgentSchema)),
  deriveFromState: async (agent, state, python) =>
    withDerived(AgentSchema, agent, { validationErrors: [...(await agentProblems(agent, state, python))] }),
});
