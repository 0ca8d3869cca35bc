// Values that configurations of several resources have.
import type { Json } from "./provider.ts";
import { LOCATION } from "./resource-types.ts";

/** A schema with every field that there is one for. */
const SCHEMA = {
  type: "OBJECT",
  title: "Order",
  description: "What was ordered",
  nullable: true,
  required: ["id"],
  properties: {
    id: { type: "STRING", description: "Number of the order" },
    lines: { type: "ARRAY", items: { ref: "#/defs/Line" } },
  },
  defs: { Line: { type: "OBJECT", properties: { amount: { type: "INTEGER" } } } },
  additionalProperties: { type: "BOOLEAN" },
  default: { id: "A-1001" },
};

export const LIST = {
  type: "ARRAY",
  description: "Orders",
  items: { type: "STRING" },
  prefixItems: [{ type: "STRING", description: "The first" }],
  anyOf: [{ type: "ARRAY" }],
  enum: ["NONE", "ALL"],
  default: false,
  uniqueItems: true,
};

export const CALLBACK = {
  description: "Notes it",
  disabled: true,
  pythonCode: "def callback(context):\n    return None\n",
};
export const callbacks = (callback: Json) =>
  Object.fromEntries(
    ["beforeAgent", "afterAgent", "beforeModel", "afterModel", "beforeTool", "afterTool"].map((stage) => [
      `${stage}Callbacks`,
      [callback],
    ]),
  );

export const CHANNEL = {
  channelType: "WEB_UI",
  disableBargeInControl: false,
  disableDtmf: true,
  personaProperty: { persona: "CONCISE" },
  profileId: "web",
  webWidgetConfig: { modality: "CHAT_ONLY", theme: "LIGHT", webWidgetTitle: "Ask us" },
};

export const APP_CREATED = {
  displayName: "Shop desk",
  description: "Answers buyers",
  pinned: false,
  toolExecutionMode: "SEQUENTIAL",
  languageSettings: {
    defaultLanguageCode: "en-US",
    supportedLanguageCodes: ["es-ES", "fr-FR"],
    enableMultilingualSupport: true,
    fallbackAction: "escalate",
  },
  audioProcessingConfig: {
    synthesizeSpeechConfigs: {
      "en-US": { voice: "en-US-Standard-A", speakingRate: 1 },
      "es-ES": { speakingRate: 0.95 },
    },
    bargeInConfig: { bargeInAwareness: true },
    inactivityTimeout: "300s",
    ambientSoundConfig: { prebuiltAmbientSound: "room_2", volumeGainDb: -6 },
  },
  loggingSettings: {
    redactionConfig: {
      enableRedaction: true,
      inspectTemplate: `${LOCATION}/inspectTemplates/people`,
      deidentifyTemplate: `${LOCATION}/deidentifyTemplates/people`,
    },
    audioRecordingConfig: { gcsBucket: "gs://shop-recordings", gcsPathPrefix: "$project/$location/$app/$session/" },
    bigqueryExportSettings: { dataset: "conversations", enabled: false, project: "local" },
    cloudLoggingSettings: { enableCloudLogging: true },
    conversationLoggingSettings: { disableConversationLogging: true, retentionWindow: "86400s" },
  },
  modelSettings: { model: "gemini-2.5-flash", temperature: 0.5 },
  evaluationMetricsThresholds: {
    goldenEvaluationMetricsThresholds: {
      turnLevelMetricsThresholds: {
        semanticSimilaritySuccessThreshold: 3,
        overallToolInvocationCorrectnessThreshold: 1,
      },
      expectationLevelMetricsThresholds: { toolInvocationParameterCorrectnessThreshold: 0.1 },
    },
  },
  variableDeclarations: [
    { name: "order", description: "The order", schema: SCHEMA },
    { name: "orders", description: "All of them", schema: LIST },
  ],
  globalInstruction: "Be friendly.",
  guardrails: [],
  defaultChannelProfile: CHANNEL,
  metadata: { stage: "test" },
  timeZoneSettings: { timeZone: "America/Los_Angeles" },
  errorHandlingSettings: {
    errorHandlingStrategy: "FALLBACK_RESPONSE",
    fallbackResponseConfig: { customFallbackMessages: { "en-US": "Please try again." }, maxFallbackAttempts: 3 },
    endSessionConfig: { escalateSession: true },
  },
};

const OPEN_API = `openapi: 3.0.0
info: { title: Orders, version: 1.0.0 }
servers: [{ url: https://api.example.com/v1 }]
paths:
  /orders:
    get: { operationId: listOrders, responses: { "200": { description: All orders } } }
`;

export const openApi = (apiAuthentication: Json) => ({
  openApiSchema: OPEN_API,
  ignoreUnknownFields: false,
  serviceDirectoryConfig: { service: `${LOCATION}/namespaces/shop/services/orders` },
  apiAuthentication,
});
export const OAUTH = {
  oauthGrantType: "CLIENT_CREDENTIAL",
  clientId: "desk",
  clientSecretVersion: "projects/local/secrets/orders/versions/1",
  tokenEndpoint: "https://login.example.com/token",
  scopes: ["read"],
};

export const clientFunction = (description: string) => ({
  name: "show_order",
  description,
  parameters: SCHEMA,
  response: LIST,
});
