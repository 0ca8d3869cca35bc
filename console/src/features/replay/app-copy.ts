import { EmptySchema } from "@bufbuild/protobuf/wkt";
import type { Agent } from "@frontdesk/protos/ces/agent";
import {
  ExportAppResponseSchema,
  ExportAppRequest_ExportFormat as Format,
  ImportAppResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { agentService } from "../../api/clients.ts";
import { waitForOperation } from "../../api/operations.ts";
import { locationOf } from "../../api/resource-names.ts";

/** A copy of an app in which something may be changed without harm. */
export interface AppCopy {
  readonly name: string;
  readonly agents: readonly Agent[];
  readonly tools: readonly Tool[];
  /** Resource names of the original and of the copy, as pairs to replace in texts. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
  delete(): Promise<void>;
}

/** Prefix of the ids of copies. */
const PREFIX = "console-rerun-";
/** Milliseconds after which a copy left behind by a closed page is deleted. */
const OLD = 15 * 60_000;

/** Copies an app, as it is edited now or as a version has it, by the export and import that anyone may use. */
export async function copyApp(app: string, appVersion: string): Promise<AppCopy> {
  const parent = locationOf(app);
  await deleteStaleCopies(parent);
  const exported = await waitForOperation(
    await agentService.exportApp({ name: app, exportFormat: Format.JSON, appVersion }),
    ExportAppResponseSchema,
  );
  if (exported.app.case !== "appContent") throw new Error("The export returned no app content.");
  const appId = `${PREFIX}${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  const operation = await agentService.importApp({
    parent,
    appId,
    displayName: `Replay ${appId.slice(PREFIX.length)}`,
    app: { case: "appContent", value: exported.app.value },
  });
  await waitForOperation(operation, ImportAppResponseSchema);
  const name = `${parent}/apps/${appId}`;
  const [own, copied] = await Promise.all([contentsOf(app), contentsOf(name)]);
  return {
    name,
    ...copied,
    renamed: [...pairs([...own.agents, ...own.tools], [...copied.agents, ...copied.tools]), [`${app}/`, `${name}/`]],
    delete: () => deleteApp(name),
  };
}

/** Whether an app is such a copy. */
function isAppCopy(name: string): boolean {
  return name.includes(`/apps/${PREFIX}`);
}

async function contentsOf(app: string) {
  const [{ agents }, { tools }] = await Promise.all([
    agentService.listAgents({ parent: app, pageSize: 1000 }),
    agentService.listTools({ parent: app, pageSize: 1000 }),
  ]);
  return { agents, tools };
}

type Named = { readonly name: string; readonly displayName: string };

function pairs(from: readonly Named[], to: readonly Named[]): readonly (readonly [string, string])[] {
  return from.flatMap(({ name, displayName }) => {
    const kind = name.split("/").at(-2);
    const twin = to.find((each) => each.displayName === displayName && each.name.split("/").at(-2) === kind);
    return twin ? [[name, twin.name] as const] : [];
  });
}

async function deleteStaleCopies(parent: string): Promise<void> {
  const { apps } = await agentService.listApps({ parent, pageSize: 1000 });
  const old = apps.filter(
    ({ name, createTime }) => isAppCopy(name) && Date.now() - Number(createTime?.seconds ?? 0) * 1_000 > OLD,
  );
  for (const { name } of old) await deleteApp(name);
}

async function deleteApp(name: string): Promise<void> {
  await waitForOperation(await agentService.deleteApp({ name }), EmptySchema);
}
