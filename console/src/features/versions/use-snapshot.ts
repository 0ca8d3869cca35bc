import { create } from "@bufbuild/protobuf";
import { type AppSnapshot, AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { useQuery } from "@tanstack/react-query";
import { useAppChanges } from "../../api/app-changes.ts";
import { agents, apps, examples, guardrails, tools, toolsets, versions } from "../../api/resource-types.ts";
import { appQuery } from "../../api/use-resources.ts";

/** Stands for the draft where a version is expected. */
export const DRAFT = "draft";

/** An app as it was in a version, or as it is now. */
export function useSnapshot(app: string, version: string) {
  useAppChanges(app);
  return useQuery(version === DRAFT ? appQuery(app, ["snapshot", app], () => readDraft(app)) : frozenQuery(version));
}

/** A version never changes. */
function frozenQuery(version: string) {
  return {
    queryKey: ["snapshot", version],
    queryFn: () => readVersion(version),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { immutable: true },
  };
}

async function readVersion(name: string): Promise<AppSnapshot> {
  const { snapshot } = await versions.get(name);
  return snapshot ?? create(AppSnapshotSchema);
}

async function readDraft(app: string): Promise<AppSnapshot> {
  const [found, ...lists] = await Promise.all([
    apps.get(app),
    agents.list(app),
    tools.list(app),
    toolsets.list(app),
    guardrails.list(app),
    examples.list(app),
  ]);
  const [agentList, toolList, toolsetList, guardrailList, exampleList] = lists;
  return create(AppSnapshotSchema, {
    app: found,
    agents: [...agentList],
    tools: [...toolList],
    toolsets: [...toolsetList],
    guardrails: [...guardrailList],
    examples: [...exampleList],
  });
}
