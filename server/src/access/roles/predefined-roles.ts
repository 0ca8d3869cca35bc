import type { RoleDefinition } from "./role.ts";

const READ = ["ces.*.get", "ces.*.list"];
const TALK = ["ces.sessions.*"];
const OWN_CONVERSATIONS = ["cloudaicompanion.topics.create"];
/** Who is a member of what, and the keys of members. */
const MEMBERS = ["*.*.setIamPolicy", "identity.*"];

const AGENT_VIEW = ["geminidataanalytics.dataAgents.get", "geminidataanalytics.dataAgents.list"];
/** Rows that schedules keep are for those who could ask for them. */
const AGENT_USE = [
  ...AGENT_VIEW,
  "geminidataanalytics.dataAgents.chat",
  "geminidataanalytics.refreshSchedules.get",
  "geminidataanalytics.refreshSchedules.list",
  "geminidataanalytics.sharedAnswers.create",
  "geminidataanalytics.sharedAnswers.get",
  "geminidataanalytics.sharedAnswers.list",
];
const AGENT_EDIT = [
  ...AGENT_USE,
  "geminidataanalytics.dataAgents.update",
  "geminidataanalytics.refreshSchedules.*",
  "geminidataanalytics.sharedAnswers.*",
  "geminidataanalytics.operations.get",
];

/** Files and databases belong to who brings them, as agents to who creates them. */
const AGENT_CREATE = [
  "geminidataanalytics.dataAgents.create",
  "geminidataanalytics.dataFiles.create",
  "geminidataanalytics.dataConnections.create",
];

/** An editor of one kind of resource, who sees the whole app. */
function editor(title: string, ...permissions: readonly string[]): RoleDefinition {
  return { title, permissions: [...READ, ...permissions], except: MEMBERS };
}

/**
 * The roles by name (IAM-3, IAM-4). Names and purposes are Google's; only `roles/frontdesk.analyst` is this server's own. In Google's product
 * `roles/ces.client` may also execute tools.
 */
export const PREDEFINED_ROLES: Readonly<Record<string, RoleDefinition>> = {
  "roles/owner": { title: "Everything, members included", permissions: ["*"] },
  "roles/editor": { title: "Everything except members and their keys", permissions: ["*"], except: MEMBERS },
  "roles/viewer": {
    title: "Reads everything, asks data agents",
    permissions: [
      ...READ,
      "geminidataanalytics.*.get",
      "geminidataanalytics.*.list",
      ...AGENT_USE,
      ...OWN_CONVERSATIONS,
    ],
  },
  "roles/resourcemanager.projectIamAdmin": {
    title: "Members of projects",
    permissions: ["resourcemanager.projects.*"],
  },
  "roles/monitoring.viewer": { title: "Metrics of the server", permissions: ["monitoring.*"] },
  "roles/iam.serviceAccountKeyAdmin": { title: "Keys of programs", permissions: ["identity.*"] },
  "roles/ces.admin": {
    title: "Everything of apps, their members included",
    permissions: ["ces.*", "resourcemanager.projects.getIamPolicy"],
  },
  "roles/ces.editor": { title: "Everything of apps except members", permissions: ["ces.*"], except: MEMBERS },
  "roles/ces.viewer": { title: "Reads apps, conversations and results", permissions: READ },
  "roles/ces.client": { title: "Talks to apps, and nothing else", permissions: TALK },
  "roles/ces.appEditor": editor("Settings, versions and packages of apps", "ces.apps.*", "ces.appVersions.*"),
  "roles/ces.agentEditor": editor("Agents and examples", "ces.agents.*", "ces.examples.*", ...TALK),
  "roles/ces.toolsEditor": editor("Tools and toolsets, which it may execute", "ces.tools.*", "ces.toolsets.*", ...TALK),
  "roles/ces.guardrailsEditor": editor("Guardrails", "ces.guardrails.*"),
  "roles/ces.evalsEditor": editor(
    "Evaluator: evaluations, their runs and schedules",
    "ces.evaluations.*",
    "ces.evaluationDatasets.*",
    "ces.evaluationExpectations.*",
    "ces.evaluationResults.*",
    "ces.evaluationRuns.*",
    "ces.scheduledEvaluationRuns.*",
    "ces.apps.runEvaluation",
    ...TALK,
  ),
  "roles/ces.deploymentEditor": editor("Deployments and versions", "ces.deployments.*", "ces.appVersions.create"),
  "roles/ces.securitySettingsEditor": {
    title: "Security settings of locations",
    permissions: ["ces.securitySettings.*"],
  },
  "roles/frontdesk.analyst": {
    title:
      "Analyst: uploads, connects and asks data, creates data agents, reads conversations and results of evaluations",
    permissions: [
      ...AGENT_USE,
      ...OWN_CONVERSATIONS,
      ...AGENT_CREATE,
      "geminidataanalytics.locations.*",
      "ces.apps.get",
      "ces.apps.list",
      "ces.conversations.get",
      "ces.conversations.list",
      "ces.evaluationResults.get",
      "ces.evaluationResults.list",
      "ces.evaluationRuns.get",
      "ces.evaluationRuns.list",
    ],
  },
  "roles/geminidataanalytics.admin": {
    title: "Everything of data agents and conversations about data",
    permissions: ["geminidataanalytics.*", "cloudaicompanion.topics.*"],
  },
  "roles/geminidataanalytics.dataAgentCreator": {
    title: "Creates data agents, of which it is the owner; asks with a context of its own",
    permissions: [...AGENT_CREATE, "geminidataanalytics.locations.chat", "geminidataanalytics.operations.get"],
  },
  "roles/geminidataanalytics.dataAgentOwner": {
    title: "A data agent, its members included",
    permissions: [
      ...AGENT_EDIT,
      "geminidataanalytics.dataAgents.delete",
      "geminidataanalytics.dataAgents.getIamPolicy",
      "geminidataanalytics.dataAgents.setIamPolicy",
      "geminidataanalytics.locations.chat",
      "geminidataanalytics.operations.*",
    ],
  },
  "roles/geminidataanalytics.dataAgentEditor": { title: "Changes and asks data agents", permissions: AGENT_EDIT },
  "roles/geminidataanalytics.dataAgentUser": { title: "Asks data agents", permissions: AGENT_USE },
  "roles/geminidataanalytics.dataAgentViewer": { title: "Reads data agents", permissions: AGENT_VIEW },
  "roles/geminidataanalytics.viewer": { title: "Reads data agents", permissions: AGENT_VIEW },
  "roles/geminidataanalytics.dataAgentStatelessUser": {
    title: "Asks with a context of its own",
    permissions: ["geminidataanalytics.locations.chat"],
  },
  "roles/geminidataanalytics.queryDataUser": {
    title: "QueryData",
    permissions: ["geminidataanalytics.locations.queryData"],
  },
  "roles/cloudaicompanion.topicAdmin": {
    title: "All conversations about data",
    permissions: ["cloudaicompanion.topics.*"],
  },
  "roles/cloudaicompanion.user": { title: "Conversations of its own about data", permissions: OWN_CONVERSATIONS },
};
