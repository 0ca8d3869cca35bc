import { useQuery } from "@tanstack/react-query";
import { useAppChanges } from "./app-changes.ts";
import { parentApp } from "./resource-names.ts";
import { apps } from "./resource-types.ts";
import { postRest } from "./rest.ts";
import { mustSignIn, useSession } from "./session.ts";
import { resourceQuery } from "./use-resources.ts";

/** Tells whether the person may do something on a resource. */
export type May = (permission: string) => boolean;

const READABLE = ["agents", "tools", "toolsets", "guardrails", "examples", "evaluations", "evaluationRuns"];
const COLLECTIONS = [...READABLE, "scheduledEvaluationRuns", "appVersions", "deployments"];

/** What pages of an app ask for. */
const OF_APPS = [
  ...["get", "update", "delete", "export", "import", "getIamPolicy", "setIamPolicy"].map((verb) => `ces.apps.${verb}`),
  ...COLLECTIONS.flatMap((collection) =>
    ["list", "create", "update", "delete"].map((verb) => `ces.${collection}.${verb}`),
  ),
  ...["ces.apps.runEvaluation", "ces.appVersions.restore", "ces.tools.execute", "ces.sessions.runSession"],
  ...["ces.conversations.list", "ces.conversations.delete", "ces.changelogs.list"],
];

/** What nobody can do in a locked app. */
const LOCKED: ReadonlySet<string> = new Set([
  ...COLLECTIONS.filter((collection) => collection !== "evaluationRuns").flatMap((collection) =>
    ["create", "update", "delete"].map((verb) => `ces.${collection}.${verb}`),
  ),
  "ces.appVersions.restore",
]);

/** What pages of a project ask for. */
const OF_PROJECTS = [
  ...["ces.apps", "geminidataanalytics.dataAgents"].flatMap((kind) => [`${kind}.create`, `${kind}.list`]),
  ...["dataConnections", "dataFiles"].map((kind) => `geminidataanalytics.${kind}.create`),
  ...["ces", "geminidataanalytics"].map((product) => `${product}.operations.cancel`),
  ...["resourcemanager.projects.getIamPolicy", "resourcemanager.projects.setIamPolicy"],
  ...["list", "create", "delete"].map((verb) => `identity.credentials.${verb}`),
  ...["audit.auditEntries.list", "quota.quotaUsages.list"],
];

/** What pages of a data agent ask for. */
const OF_DATA_AGENTS = [
  "dataAgents.update",
  "refreshSchedules.list",
  "refreshSchedules.create",
  "sharedAnswers.create",
  "sharedAnswers.delete",
].map((name) => `geminidataanalytics.${name}`);

/**
 * What somebody can do on an app, a data agent or a project, of what pages ask for: what the person may (everything where the server does not ask who calls), and a
 * locked app lets nobody change. Nothing until it is known.
 */
export function useMay(resource: string): May {
  const may = useKnownMay(resource) ?? NOTHING;
  const isLocked = useIsLocked(resource);
  return (permission) => may(permission) && !(isLocked && LOCKED.has(permission));
}

/** Whether a resource is an app that refuses changes, or in one. */
export function useIsLocked(resource: string): boolean {
  const app = isOfApp(resource) ? parentApp(resource) : "";
  useAppChanges(app);
  return useQuery({ ...resourceQuery(apps, app), enabled: app !== "" }).data?.locked === true;
}

const NOTHING: May = () => false;

/** The same, and undefined until it is known: for what is said to those who may not. */
export function useKnownMay(resource: string): May | undefined {
  const session = useSession();
  const permissions = permissionsOf(resource);
  const { data, isError } = useQuery({
    queryKey: ["permissions", resource, session.person?.principal ?? ""],
    queryFn: () =>
      postRest<{ readonly permissions?: readonly string[] }>(`${resource}:testIamPermissions`, { permissions }),
    enabled: session.authentication === "required" && !mustSignIn(session) && resource !== "",
    staleTime: 30_000,
  });
  if (session.authentication === "off") return () => true;
  if (!data) return isError ? NOTHING : undefined;
  return (permission) => data.permissions?.includes(permission) ?? false;
}

function permissionsOf(resource: string): readonly string[] {
  if (resource.includes("/dataAgents/")) return OF_DATA_AGENTS;
  return isOfApp(resource) ? OF_APPS : OF_PROJECTS;
}

function isOfApp(resource: string): boolean {
  return resource.includes("/apps/");
}

/** The permission to do something with the resources of a collection, as addresses spell it. */
export function permissionOf(collection: string, verb: "list" | "create" | "update" | "delete"): string {
  return `ces.${collection === "versions" ? "appVersions" : collection}.${verb}`;
}
