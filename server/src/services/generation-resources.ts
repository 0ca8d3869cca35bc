import type { GenerationResources } from "#generation";
import type { Resources } from "#resources";
import type { Conversations } from "#session";
import { ifFound } from "#status";

/** What generations read, over the stored resources. */
export function createGenerationResources(
  { tree, snapshots, evaluationRecords }: Pick<Resources, "tree" | "snapshots" | "evaluationRecords">,
  conversations: Conversations,
): GenerationResources {
  return {
    app: (name) => tree.readTree(name),
    version: async (app, version) => {
      const draft = await tree.readTree(app);
      const { snapshot } = await snapshots.version(version);
      const { agents, tools, toolsets, guardrails, examples } = snapshot;
      return { ...draft, app: snapshot.app ?? draft.app, agents, tools, toolsets, guardrails, examples };
    },
    run: (name) => evaluationRecords.run(name),
    results: (names) => evaluationRecords.results(names),
    conversation: (name) => ifFound(conversations.get(name)),
  };
}
