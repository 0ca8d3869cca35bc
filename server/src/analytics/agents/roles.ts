/** What a caller may do with data agents and conversations (CA-5), without the prefix `geminidataanalytics.`. */
export type Permission =
  | "dataAgents.create"
  | "dataAgents.get"
  | "dataAgents.list"
  | "dataAgents.update"
  | "dataAgents.delete"
  | "dataAgents.chat"
  | "dataAgents.getIamPolicy"
  | "dataAgents.setIamPolicy"
  | "locations.chat"
  | "locations.queryData"
  | "topics.create"
  | "topics.admin";

const PREFIX = "roles/geminidataanalytics.";

/** What the creator of an agent is given. */
export const OWNER_ROLE = `${PREFIX}dataAgentOwner`;

const VIEW: readonly Permission[] = ["dataAgents.get", "dataAgents.list"];
const USE: readonly Permission[] = [...VIEW, "dataAgents.chat"];
const EDIT: readonly Permission[] = [...USE, "dataAgents.update"];
const OWN: readonly Permission[] = [
  ...EDIT,
  "dataAgents.delete",
  "dataAgents.getIamPolicy",
  "dataAgents.setIamPolicy",
  "locations.chat",
];
const ALL: readonly Permission[] = [
  ...OWN,
  "dataAgents.create",
  "locations.queryData",
  "topics.create",
  "topics.admin",
];

const ROLES: Readonly<Record<string, readonly Permission[]>> = {
  [`${PREFIX}admin`]: ALL,
  [`${PREFIX}dataAgentCreator`]: ["dataAgents.create", "locations.chat"],
  [`${PREFIX}dataAgentViewer`]: VIEW,
  [`${PREFIX}dataAgentUser`]: USE,
  [`${PREFIX}dataAgentEditor`]: EDIT,
  [OWNER_ROLE]: OWN,
  [`${PREFIX}dataAgentStatelessUser`]: ["locations.chat"],
  [`${PREFIX}queryDataUser`]: ["locations.queryData"],
  [`${PREFIX}viewer`]: VIEW,
  "roles/cloudaicompanion.topicAdmin": ["topics.create", "topics.admin"],
  "roles/cloudaicompanion.user": ["topics.create"],
  "roles/owner": ALL,
};

/** Every known role. */
export const ROLE_NAMES: readonly string[] = Object.keys(ROLES);

/** Whether one of the roles has the permission. Unknown roles have none. */
export function rolesGrant(roles: Iterable<string>, permission: Permission): boolean {
  for (const role of roles) if (ROLES[role]?.includes(permission)) return true;
  return false;
}
