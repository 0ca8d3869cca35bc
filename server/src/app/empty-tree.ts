import type { AppTree } from "#resources";

/** The resources of an app that has none. */
export const EMPTY_TREE: Omit<AppTree, "app"> = {
  agents: [],
  tools: [],
  toolsets: [],
  guardrails: [],
  examples: [],
  evaluations: [],
  evaluationDatasets: [],
  evaluationExpectations: [],
};
