// The types of resources as their provider describes them, and what several configurations name.
import type { Json, ResourceType } from "./provider.ts";

export interface Configured {
  readonly what: string;
  readonly type: ResourceType;
  readonly id: string;
  readonly created: Json;
  readonly changed?: Json;
}

/** The location of all resources. */
export const LOCATION = "projects/local/locations/us";
export const APP_ID = "shop-desk";
export const APP = `${LOCATION}/apps/${APP_ID}`;

const inApp = (
  collection: string,
  idParameter: string | undefined,
  more: Partial<ResourceType> = {},
): ResourceType => ({
  collection: `apps/${APP_ID}/${collection}`,
  idParameter,
  ...more,
});

export const APP_TYPE: ResourceType = {
  collection: "apps",
  idParameter: "appId",
  operations: ["create", "delete"],
  // The root agent is a resource of its own, and then the app's is ignored.
  computed: ["deploymentCount", "loggingSettings", "rootAgent", "validationErrors", "predefinedVariableDeclarations"],
};
export const AGENT = inApp("agents", "agentId", { computed: ["generatedSummary", "validationErrors"] });
export const TOOL = inApp("tools", "toolId", { computed: ["generatedSummary"] });
export const TOOLSET = inApp("toolsets", "toolsetId");
export const GUARDRAIL = inApp("guardrails", "guardrailId", {
  computed: ["llmPromptSecurity.defaultSettings.defaultPromptTemplate"],
});
export const EXAMPLE = inApp("examples", "exampleId", {
  computed: ["agentTransfer", "toolCall", "toolResponse"].map((name) => `messages.chunks.${name}.displayName`),
});
export const VERSION = inApp("versions", "appVersionId", { computed: ["creator", "snapshot"] });
export const DEPLOYMENT = inApp("deployments", undefined, {
  notRead: ["appVersion"],
  sentEmpty: ["enablePublicAccess", "enableOriginCheck", "enableRecaptcha"].map(
    (name) => `channelProfile.webWidgetConfig.securitySettings.${name}`,
  ),
});
const CALLS = ["toolExpectation.expectedToolCall", "toolExpectation.mockToolResponse"].map(
  (name) => `scenario.scenarioExpectations.${name}.displayName`,
);
const STEPS = ["expectation.toolCall", "expectation.mockToolResponse", "expectation.agentTransfer"].map(
  (name) => `golden.turns.steps.${name}.displayName`,
);
export const EVALUATION = inApp("evaluations", "evaluationId", {
  computed: ["aggregatedMetrics", "createdBy", "lastUpdatedBy", "evaluationDatasets", ...CALLS, ...STEPS],
});
export const DATASET = inApp("evaluationDatasets", "evaluationDatasetId", {
  computed: ["aggregatedMetrics", "createdBy", "lastUpdatedBy"],
});
export const SECURITY_SETTINGS: ResourceType = { collection: "securitySettings", idParameter: "singleton" };
export const DATA_AGENT: ResourceType = {
  collection: "dataAgents",
  idParameter: "dataAgentId",
  sync: true,
  computed: ["dataAnalyticsAgent.lastPublishedContext", "deleteTime", "purgeTime"],
};

export const agentTransfer = { targetAgent: `${APP}/agents/returns` };
export const IMAGE = { mimeType: "image/png", data: Buffer.from("no picture").toString("base64") };
export const call = (more: Json) => ({ id: "call-1", tool: `${APP}/tools/look_up`, ...more });
