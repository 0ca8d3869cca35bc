import { type DescFile, fromBinary } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { resourceTypeOf } from "#aip";
import { once } from "#base";
import type { ResourceStore } from "#storage";
import { permissionOn } from "../methods/method-rules.ts";
import { policyScopes } from "../policy-scopes.ts";

/** Sessions have names and no message. */
const SESSIONS = ["projects/*/locations/*/apps/*/sessions/*", "ces.googleapis.com/Session"] as const;

interface ResourceTypes {
  /** Types by the form of their names: `projects/*\/locations/*\/apps/*`. */
  readonly byForm: ReadonlyMap<string, string>;
  /** The permission to see a resource of a type. */
  readonly permissions: ReadonlyMap<string, string>;
}

// Descriptors live as long as the process.
const known = once(resourceTypes);

/** The type of the resource of a name, e.g. `ces.googleapis.com/Agent`; "" for a name of no known form. */
export function typeOfName(name: string): string {
  return known().byForm.get(withoutIds(name)) ?? "";
}

/** The permission that a reference to a resource of a type needs; undefined for types of other services. */
export function referencePermission(type: string): string | undefined {
  return known().permissions.get(type);
}

function resourceTypes(): ResourceTypes {
  const files = new Set<DescFile>();
  for (const { file } of [AgentService, EvaluationService, DataAgentService, DataChatService])
    addWithDependencies(file, files);
  const types = [...files].flatMap(({ messages }) => messages.flatMap((message) => resourceTypeOf(message) ?? []));
  const forms = types.flatMap(({ type, patterns }) =>
    patterns.map(({ text }) => [text.replace(/\{\w+\}/g, "*"), type] as const),
  );
  const permissions = types.map(({ type, plural }) => [type, permissionOn(type, plural, "get")] as const);
  return {
    byForm: new Map([SESSIONS, ...forms]),
    permissions: new Map([...permissions, [SESSIONS[1], "ces.sessions.runSession"]]),
  };
}

function addWithDependencies(file: DescFile, files: Set<DescFile>): void {
  if (files.has(file)) return;
  files.add(file);
  for (const each of file.dependencies) addWithDependencies(each, files);
}

/** `projects/p/locations/l` gives `projects/*\/locations/*`: names are pairs of collection and id. */
function withoutIds(name: string): string {
  return name
    .split("/")
    .map((segment, index) => (index % 2 === 1 ? "*" : segment))
    .join("/");
}

/** The labels of the app (its `metadata`) or data agent that a name belongs to; none for other names. */
export async function labelsOf(
  name: string,
  store: Pick<ResourceStore, "get">,
): Promise<Readonly<Record<string, string>>> {
  const { resource } = policyScopes(name);
  const row = resource === "" ? undefined : await store.get(resource);
  if (row?.type === "ces.googleapis.com/App") return fromBinary(AppSchema, row.body).metadata;
  return row?.type === "geminidataanalytics.googleapis.com/DataAgent"
    ? fromBinary(DataAgentSchema, row.body).labels
    : {};
}
