import type { DescMethod, Message } from "@bufbuild/protobuf";
import { A2AService } from "@frontdesk/protos/a2a/a2a";
import {
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as AppStrategy,
  type ImportAppRequest,
} from "@frontdesk/protos/ces/agent_service";
import {
  type ExportEvaluationsRequest,
  type ImportEvaluationsRequest,
  ImportEvaluationsRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/evaluation_service";
import type { ChatRequest } from "@frontdesk/protos/gda/data_chat_service";
import type { Ask, MethodRule } from "../contract.ts";
import { nameReader, resourceField } from "./name-reader.ts";
import { operationPermissions, policyPermission, policyPermissions } from "./policy-permissions.ts";

/** Makes the rule of a method that is not a standard one. */
type RuleMaker = (method: DescMethod) => MethodRule;

const CES = "google.cloud.ces.v1beta";
const DATA = "google.cloud.geminidataanalytics.v1beta";
const DATA_AGENTS_CHAT = "geminidataanalytics.dataAgents.chat";
const DATA_FILES = "geminidataanalytics.dataFiles";
const DATA_CONNECTIONS = "geminidataanalytics.dataConnections";
const SHARED_ANSWERS = "geminidataanalytics.sharedAnswers";
const LOCATIONS_CHAT = "geminidataanalytics.locations.chat";
/** What an import of evaluations needs to overwrite what there is: results and runs are made by the server, and replaced by who may delete them. */
const OVERWRITING = ["ces.evaluations.update", "ces.evaluationResults.delete", "ces.evaluationRuns.delete"];

/**
 * What methods ask for that are no standard methods (IAM-5), by full name in the internal revision. The permissions are Google's where they are
 * published. A method that is neither here nor standard can be called by the operator alone (IAM-6), and fails a test.
 */
export const CUSTOM_RULES: Readonly<Record<string, RuleMaker>> = {
  [`${CES}.AgentService.ImportApp`]: asking(["ces.apps.import", "ces.apps.update"], importedApp),
  [`${CES}.AgentService.ExportApp`]: on("ces.apps.export"),
  [`${CES}.AgentService.RestoreAppVersion`]: on("ces.appVersions.restore"),
  [`${CES}.AgentService.BatchDeleteConversations`]: on("ces.conversations.delete"),
  [`${CES}.AgentService.GenerateAppResource`]: on("ces.apps.update"),

  [`${CES}.SessionService.RunSession`]: on("ces.sessions.runSession"),
  [`${CES}.SessionService.StreamRunSession`]: on("ces.sessions.runSession"),
  [`${CES}.SessionService.BidiRunSession`]: on("ces.sessions.bidiRunSession", "config.session"),
  // A page whose origin the deployment lists needs no credential; everybody else is asked as for RunSession.
  [`${CES}.WidgetService.GenerateChatToken`]: decidedByHandler("anybody", "ces.sessions.runSession"),

  [`${CES}.ToolService.ExecuteTool`]: on("ces.tools.execute"),
  [`${CES}.ToolService.RetrieveToolSchema`]: on("ces.tools.get"),
  [`${CES}.ToolService.RetrieveTools`]: on("ces.toolsets.get"),

  [`${CES}.EvaluationService.RunEvaluation`]: on("ces.apps.runEvaluation"),
  [`${CES}.EvaluationService.TestPersonaVoice`]: on("ces.apps.runEvaluation"),
  [`${CES}.EvaluationService.RunEvaluationResultMetrics`]: on("ces.apps.runEvaluation"),
  [`${CES}.EvaluationService.UploadEvaluationAudio`]: on("ces.evaluations.update"),
  [`${CES}.EvaluationService.GenerateEvaluation`]: asking(
    ["ces.evaluations.create", "ces.conversations.get"],
    generatedFrom,
  ),
  [`${CES}.EvaluationService.ImportEvaluations`]: asking(
    ["ces.evaluations.create", ...OVERWRITING, "ces.conversations.get"],
    importedEvaluations,
  ),
  [`${CES}.EvaluationService.ExportEvaluations`]: asking(
    ["ces.evaluations.list", "ces.evaluationResults.list"],
    exportedEvaluations,
  ),
  [`${CES}.EvaluationService.ExportEvaluationRuns`]: on("ces.evaluationRuns.list"),
  [`${CES}.EvaluationService.ExportEvaluationResults`]: on("ces.evaluationResults.list"),

  [`${CES}.AssistantService.CreateAssistantSession`]: on("ces.assistantSessions.create"),
  // The assistant reads and changes the app for who asks it.
  [`${CES}.AssistantService.RunAssistant`]: on("ces.apps.update"),
  [`${CES}.AssistantService.ChatAiAssistant`]: on("ces.apps.update"),
  [`${CES}.SessionService.StreamChatAiAssistant`]: on("ces.apps.update", "name"),
  [`${CES}.SessionService.CancelAssistantTurn`]: on("ces.apps.update", "name"),
  [`${CES}.SessionService.GenerateOnboardingSuggestions`]: on("ces.apps.get", "name"),

  // Agents of other platforms talk to an app, or to a deployment or version of it: the tenant.
  ...Object.fromEntries(
    A2AService.methods.map(({ name }) => [`${A2AService.typeName}.${name}`, on("ces.sessions.runSession", "tenant")]),
  ),

  [`${DATA}.DataAgentService.GetIamPolicy`]: onPolicy("getIamPolicy"),
  [`${DATA}.DataAgentService.SetIamPolicy`]: onPolicy("setIamPolicy"),
  [`${DATA}.DataAgentService.ImportSemanticModel`]: on("geminidataanalytics.dataAgents.update"),
  [`${DATA}.DataAgentService.VerifyAnswer`]: on("geminidataanalytics.dataAgents.update"),
  // A link is for who may ask its agent, or for whoever has its token; who made it may revoke it.
  [`${DATA}.DataAgentService.OpenSharedAnswer`]: decidedByHandler("anybody", DATA_AGENTS_CHAT),
  [`${DATA}.DataAgentService.DeleteSharedAnswer`]: decidedByHandler(
    "handler",
    `${SHARED_ANSWERS}.delete`,
    `${SHARED_ANSWERS}.create`,
  ),
  // Files and databases belong to who brought them; the permissions are for those of others.
  [`${DATA}.DataAgentService.GetDataFile`]: ownedData(DATA_FILES, "get"),
  [`${DATA}.DataAgentService.ListDataFiles`]: listing("parent", `${DATA_FILES}.list`, `${DATA_FILES}.create`),
  [`${DATA}.DataAgentService.UpdateDataFile`]: ownedData(DATA_FILES, "update"),
  [`${DATA}.DataAgentService.DeleteDataFile`]: ownedData(DATA_FILES, "delete"),
  [`${DATA}.DataAgentService.GetDataConnection`]: ownedData(DATA_CONNECTIONS, "get"),
  [`${DATA}.DataAgentService.ListDataConnections`]: listing(
    "parent",
    `${DATA_CONNECTIONS}.list`,
    `${DATA_CONNECTIONS}.create`,
  ),
  [`${DATA}.DataAgentService.UpdateDataConnection`]: ownedData(DATA_CONNECTIONS, "update"),
  [`${DATA}.DataAgentService.DeleteDataConnection`]: ownedData(DATA_CONNECTIONS, "delete"),
  [`${DATA}.DataAgentService.TestDataConnection`]: ownedData(DATA_CONNECTIONS, "get"),
  [`${DATA}.DataChatService.Chat`]: asking([DATA_AGENTS_CHAT, LOCATIONS_CHAT], asked),
  [`${DATA}.DataChatService.RunStatement`]: on(DATA_AGENTS_CHAT),
  [`${DATA}.DataChatService.RetrieveModelVocabulary`]: on(DATA_AGENTS_CHAT),
  [`${DATA}.DataChatService.QueryData`]: on("geminidataanalytics.locations.queryData"),
  // Who may ask any table may see which there are.
  [`${DATA}.DataChatService.ListDataTables`]: on("geminidataanalytics.locations.queryData"),
  // Conversations belong to who began them; `get` and `delete` are for those of others.
  [`${DATA}.DataChatService.CreateConversation`]: on("cloudaicompanion.topics.create"),
  [`${DATA}.DataChatService.GetConversation`]: ownedConversation("get"),
  [`${DATA}.DataChatService.ListConversations`]: listing(
    "parent",
    "cloudaicompanion.topics.get",
    "cloudaicompanion.topics.create",
  ),
  [`${DATA}.DataChatService.ListMessages`]: ownedConversation("get"),
  [`${DATA}.DataChatService.DeleteConversation`]: ownedConversation("delete"),

  "google.longrunning.Operations.GetOperation": onOperation("get"),
  "google.longrunning.Operations.WaitOperation": onOperation("get"),
  "google.longrunning.Operations.CancelOperation": onOperation("cancel"),
  "google.longrunning.Operations.DeleteOperation": onOperation("delete"),
  "google.longrunning.Operations.ListOperations": listing("name", ...operationPermissions("list")),
  "frontdesk.operations.v1beta.JobService.ListJobs": listing("parent", ...operationPermissions("list")),
  // Who may end the work may begin it again.
  "frontdesk.operations.v1beta.JobService.RetryJob": onOperation("cancel"),

  // Which locations there are is the same for everybody.
  "google.cloud.location.Locations.ListLocations": decidedByHandler("known"),
  "google.cloud.location.Locations.GetLocation": decidedByHandler("known"),

  // Supervisors have no credential. What the services are is published, but only who is known learns that this server has them.
  "grpc.health.v1.Health.Check": decidedByHandler("anybody"),
  "grpc.health.v1.Health.List": decidedByHandler("anybody"),
  "grpc.health.v1.Health.Watch": decidedByHandler("anybody"),
  "grpc.reflection.v1.ServerReflection.ServerReflectionInfo": decidedByHandler("known"),

  "google.iam.v1.IAMPolicy.GetIamPolicy": onPolicy("getIamPolicy"),
  "google.iam.v1.IAMPolicy.SetIamPolicy": onPolicy("setIamPolicy"),
  // Tells callers their own permissions.
  "google.iam.v1.IAMPolicy.TestIamPermissions": decidedByHandler("known"),
};

/** The permission on the resource that a field names; default the field of the HTTP rule. */
function on(permission: string, path?: string): RuleMaker {
  return (method) => {
    const field = path ?? resourceField(method) ?? "";
    const resourceOf = nameReader(method.input, field);
    const asksOf = (request: Message) => [{ permission, resource: resourceOf(request), field }];
    return { kind: "resource", permissions: [permission], asksOf };
  };
}

function asking(permissions: readonly string[], asksOf: (request: Message) => readonly Ask[]): RuleMaker {
  return () => ({ kind: "resource", permissions, asksOf });
}

function decidedByHandler(kind: "handler" | "known" | "anybody", ...permissions: readonly string[]): RuleMaker {
  return () => ({ kind, permissions, asksOf: () => [] });
}

/** One of the permissions on the parent that a field names, or below it. */
function listing(field: string, ...permissions: readonly string[]): RuleMaker {
  return (method) => {
    const resourceOf = nameReader(method.input, field);
    const asksOf = (request: Message) => {
      const resource = resourceOf(request);
      return permissions.map((permission) => ({ permission, resource, field }));
    };
    return { kind: "list", permissions, asksOf };
  };
}

function ownedConversation(verb: string): RuleMaker {
  return decidedByHandler("handler", `cloudaicompanion.topics.${verb}`, "cloudaicompanion.topics.create");
}

function ownedData(kind: string, verb: string): RuleMaker {
  return decidedByHandler("handler", `${kind}.${verb}`, `${kind}.create`);
}

function onOperation(verb: string): RuleMaker {
  return (method) => {
    const resourceOf = nameReader(method.input, "name");
    const asksOf = (request: Message) => [
      { permission: `operations.${verb}`, resource: resourceOf(request), field: "name" },
    ];
    return { kind: "operation", permissions: operationPermissions(verb), asksOf };
  };
}

function onPolicy(verb: string): RuleMaker {
  return (method) => {
    const resourceOf = nameReader(method.input, "resource");
    const asksOf = (request: Message) => {
      const resource = resourceOf(request);
      return [{ permission: policyPermission(resource, verb), resource, field: "resource" }];
    };
    return { kind: "resource", permissions: policyPermissions(verb), asksOf };
  };
}

/** An import into an app that the request names changes that app, and may remove what the package lacks; one without creates an app (IAM-27). */
function importedApp(request: Message): readonly Ask[] {
  const { parent, appId, importOptions } = request as ImportAppRequest;
  const resource = parent === "" || appId === "" ? parent : `${parent}/apps/${appId}`;
  const overwrites = appId !== "" && importOptions?.conflictResolutionStrategy === AppStrategy.OVERWRITE;
  return [
    { permission: "ces.apps.import", resource, field: "parent" },
    ...(overwrites ? [{ permission: "ces.apps.update", resource, field: "app_id" }] : []),
  ];
}

/** The file has the results, where the request includes them. */
function exportedEvaluations(request: Message): readonly Ask[] {
  const { parent: resource, includeEvaluationResults } = request as ExportEvaluationsRequest;
  const permissions = ["ces.evaluations.list", ...(includeEvaluationResults ? ["ces.evaluationResults.list"] : [])];
  return permissions.map((permission) => ({ permission, resource, field: "parent" }));
}

/** Evaluations that are made of conversations have what was said in them. What a file overwrites is not known before it is read (IAM-27). */
function importedEvaluations(request: Message): readonly Ask[] {
  const { parent, source, importOptions } = request as ImportEvaluationsRequest;
  const conversations = source.case === "conversationList" ? source.value.conversations : [];
  const overwrites = importOptions?.conflictResolutionStrategy === Strategy.OVERWRITE;
  return [
    { permission: "ces.evaluations.create", resource: parent, field: "parent" },
    ...(overwrites ? OVERWRITING : []).map((permission) => ({ permission, resource: parent, field: "parent" })),
    ...conversations.map((resource) => ({
      permission: "ces.conversations.get",
      resource,
      field: "conversation_list.conversations",
    })),
  ];
}

/** The evaluation has what was said in the conversation. */
function generatedFrom(request: Message): readonly Ask[] {
  const { conversation: resource } = request as Message & { readonly conversation: string };
  const permissions = ["ces.evaluations.create", "ces.conversations.get"];
  return permissions.map((permission) => ({ permission, resource, field: "conversation" }));
}

function asked(request: Message): readonly Ask[] {
  const { contextProvider, parent } = request as ChatRequest;
  switch (contextProvider.case) {
    case "dataAgentContext":
      return [
        {
          permission: DATA_AGENTS_CHAT,
          resource: contextProvider.value.dataAgent,
          field: "data_agent_context.data_agent",
        },
      ];
    case "conversationReference":
      return [
        {
          permission: DATA_AGENTS_CHAT,
          resource: contextProvider.value.dataAgentContext?.dataAgent ?? "",
          field: "conversation_reference.data_agent_context.data_agent",
        },
      ];
    default:
      return [{ permission: LOCATIONS_CHAT, resource: parent, field: "parent" }];
  }
}
