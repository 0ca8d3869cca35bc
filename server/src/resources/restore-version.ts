import { create } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import type { Ids } from "#base";
import { failedPrecondition } from "#status";
import type { AppSnapshots, AppTreePart } from "./contract.ts";
import { appVersions } from "./definitions/app-version.ts";
import { appOf, checkName } from "./resource-names.ts";
import { treeOf } from "./resource-tree.ts";
import type { AppWriter } from "./write/app-writer.ts";
import { planTree } from "./write/plan-tree.ts";

/** The parts of a snapshot beside the app; evaluations, versions and deployments stay as they are (WIRE-11). */
const SNAPSHOT_PARTS: readonly AppTreePart[] = ["agents", "tools", "toolsets", "guardrails", "examples"];

interface RestoreDeps {
  readonly snapshots: AppSnapshots;
  readonly writer: AppWriter;
  readonly ids: Ids;
}

/** RestoreAppVersion: a new version of the draft, then the draft overwritten by the named version, in one transaction. */
export async function restoreVersion(
  name: string,
  author: string,
  { snapshots, writer, ids }: RestoreDeps,
): Promise<void> {
  checkName(appVersions, name, "name");
  const { snapshot } = await snapshots.version(name);
  const { app } = snapshot;
  if (!app) throw failedPrecondition(`The version '${name}' has no app, so it cannot be restored.`);
  const appName = appOf(name) ?? "";
  await writer.write(
    appName,
    async (state) => {
      const { agents, tools, toolsets, guardrails, examples } = snapshot;
      const tree = { ...treeOf(state), app: create(AppSchema, app), agents, tools, toolsets, guardrails, examples };
      const backupName = `${appName}/versions/${ids.uuid()}`;
      const backup = create(AppVersionSchema, {
        name: backupName,
        displayName: "Draft before restore",
        description: `The draft as it was before ${name} was restored.`,
      });
      const frozen = appVersions.rules.onCreate?.(backup, state, author) ?? backup;
      const restored = await planTree(state, tree, { deleteOthers: SNAPSHOT_PARTS });
      return {
        ...restored,
        changes: [{ definition: appVersions, name: backupName, after: frozen, fieldPrefix: "" }, ...restored.changes],
      };
    },
    { required: "own", author },
  );
}
