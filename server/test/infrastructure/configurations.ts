// Configurations of each type of resource: as it is created, and as it is changed afterwards.
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
const APP = `${LOCATION}/apps/${APP_ID}`;

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
const AGENT = inApp("agents", "agentId", { computed: ["generatedSummary", "validationErrors"] });
const TOOL = inApp("tools", "toolId", { computed: ["generatedSummary"] });
const TOOLSET = inApp("toolsets", "toolsetId");
const GUARDRAIL = inApp("guardrails", "guardrailId", {
  computed: ["llmPromptSecurity.defaultSettings.defaultPromptTemplate"],
});
const EXAMPLE = inApp("examples", "exampleId", {
  computed: ["agentTransfer", "toolCall", "toolResponse"].map((name) => `messages.chunks.${name}.displayName`),
});
const VERSION = inApp("versions", "appVersionId", { computed: ["creator", "snapshot"] });
const DEPLOYMENT = inApp("deployments", undefined, {
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
const EVALUATION = inApp("evaluations", "evaluationId", {
  computed: ["aggregatedMetrics", "createdBy", "lastUpdatedBy", "evaluationDatasets", ...CALLS, ...STEPS],
});
const DATASET = inApp("evaluationDatasets", "evaluationDatasetId", {
  computed: ["aggregatedMetrics", "createdBy", "lastUpdatedBy"],
});
const SECURITY_SETTINGS: ResourceType = { collection: "securitySettings", idParameter: "singleton" };
const DATA_AGENT: ResourceType = {
  collection: "dataAgents",
  idParameter: "dataAgentId",
  sync: true,
  computed: ["dataAnalyticsAgent.lastPublishedContext", "deleteTime", "purgeTime"],
};

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

const LIST = {
  type: "ARRAY",
  description: "Orders",
  items: { type: "STRING" },
  prefixItems: [{ type: "STRING", description: "The first" }],
  anyOf: [{ type: "ARRAY" }],
  enum: ["NONE", "ALL"],
  default: false,
  uniqueItems: true,
};

const CALLBACK = { description: "Notes it", disabled: true, pythonCode: "def callback(context):\n    return None\n" };
const callbacks = (callback: Json) =>
  Object.fromEntries(
    ["beforeAgent", "afterAgent", "beforeModel", "afterModel", "beforeTool", "afterTool"].map((stage) => [
      `${stage}Callbacks`,
      [callback],
    ]),
  );

const CHANNEL = {
  channelType: "WEB_UI",
  disableBargeInControl: false,
  disableDtmf: true,
  personaProperty: { persona: "CONCISE" },
  profileId: "web",
  webWidgetConfig: { modality: "CHAT_ONLY", theme: "LIGHT", webWidgetTitle: "Ask us" },
};

const APP_CREATED = {
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

const openApi = (apiAuthentication: Json) => ({
  openApiSchema: OPEN_API,
  ignoreUnknownFields: false,
  serviceDirectoryConfig: { service: `${LOCATION}/namespaces/shop/services/orders` },
  apiAuthentication,
});
const OAUTH = {
  oauthGrantType: "CLIENT_CREDENTIAL",
  clientId: "desk",
  clientSecretVersion: "projects/local/secrets/orders/versions/1",
  tokenEndpoint: "https://login.example.com/token",
  scopes: ["read"],
};

const clientFunction = (description: string) => ({
  name: "show_order",
  description,
  parameters: SCHEMA,
  response: LIST,
});
const agentTransfer = { targetAgent: `${APP}/agents/returns` };
const IMAGE = { mimeType: "image/png", data: Buffer.from("no picture").toString("base64") };
const call = (more: Json) => ({ id: "call-1", tool: `${APP}/tools/look_up`, ...more });

/** Types of both versions, those that others name first. */
export const RESOURCES: readonly Configured[] = [
  {
    what: "google_ces_app",
    type: APP_TYPE,
    id: APP_ID,
    created: APP_CREATED,
    changed: {
      ...APP_CREATED,
      description: "Answers all buyers",
      pinned: true,
      toolExecutionMode: "PARALLEL",
      languageSettings: { ...APP_CREATED.languageSettings, enableMultilingualSupport: false },
      modelSettings: { model: "gemini-2.5-flash", temperature: 1 },
      variableDeclarations: [
        { name: "order", description: "The order of today", schema: { ...LIST, uniqueItems: false } },
      ],
      metadata: { stage: "test", owner: "desk" },
      globalInstruction: "",
      errorHandlingSettings: {
        errorHandlingStrategy: "END_SESSION",
        fallbackResponseConfig: { customFallbackMessages: { "es-ES": "Lo siento." }, maxFallbackAttempts: 5 },
        endSessionConfig: { escalateSession: false },
      },
    },
  },
  {
    what: "google_ces_tool with Python",
    type: TOOL,
    id: "look_up",
    created: {
      executionType: "SYNCHRONOUS",
      pythonFunction: { name: "look_up", pythonCode: "def look_up() -> int: return 0" },
    },
    changed: {
      executionType: "SYNCHRONOUS",
      pythonFunction: { name: "find", pythonCode: "def find() -> int: return 0" },
    },
  },
  {
    what: "google_ces_tool of the client",
    type: TOOL,
    id: "show_order",
    created: { executionType: "ASYNCHRONOUS", clientFunction: clientFunction("Shows an order") },
    changed: {
      executionType: "SYNCHRONOUS",
      clientFunction: clientFunction("Shows an order to the buyer"),
      timeout: "5s",
    },
  },
  {
    what: "google_ces_tool of Google search",
    type: TOOL,
    id: "search",
    created: {
      executionType: "SYNCHRONOUS",
      googleSearchTool: { name: "search", description: "Searches", excludeDomains: ["example.com", "example.org"] },
    },
    changed: {
      executionType: "SYNCHRONOUS",
      googleSearchTool: { name: "search", description: "Searches the web", preferredDomains: ["example.net"] },
    },
  },
  {
    what: "google_ces_tool of data stores",
    type: TOOL,
    id: "manuals",
    created: {
      executionType: "SYNCHRONOUS",
      dataStoreTool: {
        name: "manuals",
        description: "Reads the manuals",
        engineSource: {
          engine: "projects/local/locations/global/collections/default_collection/engines/manuals",
          filter: 'kind: ANY("manual")',
        },
        modalityConfigs: [
          {
            modalityType: "TEXT",
            rewriterConfig: {
              modelSettings: { model: "gemini-2.5-flash", temperature: 1 },
              prompt: "Rewrite",
              disabled: false,
            },
            summarizationConfig: { modelSettings: { model: "gemini-2.5-flash" }, prompt: "Sum up", disabled: false },
            groundingConfig: { groundingLevel: 2.4, disabled: false },
          },
        ],
        maxResults: 5,
      },
    },
  },
  {
    what: "google_ces_toolset with an identity token",
    type: TOOLSET,
    id: "orders",
    created: { displayName: "Orders", openApiToolset: openApi({ serviceAgentIdTokenAuthConfig: {} }) },
    changed: {
      displayName: "All orders",
      description: "Of the shop",
      openApiToolset: openApi({ serviceAgentIdTokenAuthConfig: {} }),
    },
  },
  {
    what: "google_ces_toolset with OAuth",
    type: TOOLSET,
    id: "orders-oauth",
    created: { displayName: "Orders by OAuth", openApiToolset: openApi({ oauthConfig: OAUTH }) },
    changed: {
      displayName: "Orders by OAuth",
      openApiToolset: openApi({ oauthConfig: { ...OAUTH, scopes: ["read", "write"] } }),
      timeout: "30s",
    },
  },
  {
    what: "google_ces_toolset of an MCP server",
    type: TOOLSET,
    id: "orders-mcp",
    created: {
      displayName: "Orders by MCP",
      mcpToolset: { serverAddress: "https://mcp.example.com/mcp", customHeaders: { "x-shop": "1" } },
    },
    changed: { displayName: "Orders by MCP", mcpToolset: { serverAddress: "https://mcp.example.com/all" } },
  },
  {
    what: "google_ces_guardrail of the model",
    type: GUARDRAIL,
    id: "kindness",
    created: {
      displayName: "Kind",
      description: "Refuses hate",
      action: { respondImmediately: { responses: [{ text: "No.", disabled: false }] } },
      enabled: true,
      modelSafety: { safetySettings: [{ category: "HARM_CATEGORY_HATE_SPEECH", threshold: "BLOCK_NONE" }] },
    },
    changed: {
      displayName: "Kind",
      action: { respondImmediately: { responses: [{ text: "Please no.", disabled: true }] } },
      enabled: false,
      modelSafety: { safetySettings: [{ category: "HARM_CATEGORY_HATE_SPEECH", threshold: "BLOCK_NONE" }] },
    },
  },
  {
    what: "google_ces_guardrail of a prompt",
    type: GUARDRAIL,
    id: "secure",
    created: {
      displayName: "Secure",
      action: { generativeAnswer: { prompt: "Say that you cannot" } },
      enabled: true,
      llmPromptSecurity: {
        customPolicy: {
          maxConversationMessages: 10,
          modelSettings: { model: "gemini-2.5-flash", temperature: 1 },
          prompt: "Refuse tricks",
          policyScope: "USER_QUERY",
          failOpen: true,
          allowShortUtterance: true,
        },
      },
    },
    changed: {
      displayName: "Secure",
      action: { generativeAnswer: { prompt: "Say that you must not" } },
      enabled: true,
      llmPromptSecurity: { defaultSettings: {} },
    },
  },
  {
    what: "google_ces_guardrail of Python",
    type: GUARDRAIL,
    id: "coded",
    created: {
      displayName: "Coded",
      action: { generativeAnswer: { prompt: "Say no" } },
      enabled: true,
      codeCallback: { beforeAgentCallback: { ...CALLBACK, disabled: false }, afterModelCallback: CALLBACK },
    },
    changed: {
      displayName: "Coded",
      action: { generativeAnswer: { prompt: "Say no" } },
      enabled: true,
      codeCallback: { beforeAgentCallback: CALLBACK },
    },
  },
  {
    what: "google_ces_agent below another",
    type: AGENT,
    id: "returns",
    created: {
      displayName: "Returns",
      instruction: "Help to return.",
      modelSettings: { model: "gemini-2.5-flash", temperature: 0.5 },
      llmAgent: {},
    },
    changed: { displayName: "Returns", instruction: "Help to return.", llmAgent: {} },
  },
  {
    what: "google_ces_agent with all that an agent has",
    type: AGENT,
    id: "front-desk",
    created: {
      displayName: "Front",
      description: "Greets",
      instruction: "Help.",
      ...callbacks(CALLBACK),
      tools: [`${APP}/tools/look_up`],
      guardrails: [`${APP}/guardrails/kindness`],
      toolsets: [{ toolset: `${APP}/toolsets/orders`, toolIds: ["listOrders"] }],
      childAgents: [`${APP}/agents/returns`],
      transferRules: [
        {
          childAgent: `${APP}/agents/returns`,
          direction: "PARENT_TO_CHILD",
          deterministicTransfer: { expressionCondition: { expression: "orders == true" } },
        },
      ],
      llmAgent: {},
    },
    changed: {
      displayName: "Front",
      description: "Greets buyers",
      instruction: "Help them.",
      ...callbacks({ ...CALLBACK, disabled: false }),
      toolsets: [{ toolset: `${APP}/toolsets/orders` }],
      childAgents: [`${APP}/agents/returns`],
      llmAgent: {},
    },
  },
  {
    what: "google_ces_agent at Dialogflow",
    type: AGENT,
    id: "old-desk",
    created: {
      displayName: "Old desk",
      remoteDialogflowAgent: {
        agent: `${LOCATION}/agents/old`,
        flowId: "start",
        environmentId: "live",
        inputVariableMapping: { order: "order_id" },
        outputVariableMapping: { state: "order_state" },
      },
    },
    changed: {
      displayName: "Old desk",
      remoteDialogflowAgent: {
        agent: `${LOCATION}/agents/older`,
        flowId: "start",
        respectResponseInterruptionSettings: true,
      },
    },
  },
  {
    what: "google_ces_example",
    type: EXAMPLE,
    id: "greeting",
    created: {
      displayName: "Greeting",
      description: "How it goes",
      entryAgent: `${APP}/agents/front-desk`,
      messages: [
        {
          role: "agent",
          chunks: [
            { agentTransfer },
            { image: IMAGE },
            { text: "Hello" },
            { toolCall: call({ args: { order: "A-1001" } }) },
            {
              toolCall: {
                id: "call-2",
                toolsetTool: { toolset: `${APP}/toolsets/orders`, toolId: "listOrders" },
                args: { n: 1.5 },
              },
            },
            { toolResponse: call({ response: { state: "sent" } }) },
            { updatedVariables: { state: "sent" } },
          ],
        },
      ],
    },
    changed: {
      displayName: "Greeting",
      description: "How it went",
      entryAgent: `${APP}/agents/front-desk`,
      messages: [{ role: "agent", chunks: [{ text: "Hello" }] }],
    },
  },
  {
    what: "google_ces_app_version",
    type: VERSION,
    id: "first",
    created: { displayName: "First", description: "What we began with" },
  },
  {
    what: "google_ces_deployment",
    type: DEPLOYMENT,
    id: "site",
    created: {
      displayName: "Site",
      appVersion: `${APP}/versions/first`,
      channelProfile: {
        ...CHANNEL,
        webWidgetConfig: {
          ...CHANNEL.webWidgetConfig,
          securitySettings: {
            enablePublicAccess: true,
            enableOriginCheck: true,
            enableRecaptcha: false,
            allowedOrigins: ["https://example.com", "https://example.org"],
          },
        },
      },
    },
    changed: {
      displayName: "Site",
      appVersion: `${APP}/versions/first`,
      channelProfile: {
        channelType: "API",
        personaProperty: { persona: "CHATTY" },
        webWidgetConfig: {
          modality: "CHAT_AND_VOICE",
          securitySettings: {
            enablePublicAccess: false,
            enableOriginCheck: false,
            enableRecaptcha: false,
            allowedOrigins: ["https://example.net"],
          },
        },
      },
    },
  },
];

/** Types of v1beta alone. */
export const BETA_RESOURCES: readonly Configured[] = [
  {
    what: "google_ces_evaluation with a golden conversation",
    type: EVALUATION,
    id: "asks-once",
    created: {
      displayName: "Asks",
      description: "Asks for an order",
      tags: ["orders"],
      golden: {
        turns: [
          {
            steps: [
              { userInput: { text: "Where is it?" } },
              { userInput: { variables: { order: "A-1001" } } },
              { expectation: { note: "Looks", toolCall: call({ args: { order: "A-1001" } }) } },
              { expectation: { note: "Is told", mockToolResponse: call({ response: { state: "sent" } }) } },
              { expectation: { note: "Says", agentResponse: { role: "agent", chunks: [{ text: "It was sent" }] } } },
              { expectation: { agentTransfer } },
              { userInput: { dtmf: "5678" } },
            ],
          },
        ],
      },
    },
    changed: { displayName: "Asks nothing" },
  },
  {
    what: "google_ces_evaluation with a scenario",
    type: EVALUATION,
    id: "returns",
    created: {
      displayName: "Returns",
      tags: ["returns"],
      scenario: {
        task: "Return an order",
        maxTurns: 10,
        userGoalBehavior: "USER_GOAL_REJECTED",
        taskCompletionBehavior: "TASK_REJECTED",
        variableOverrides: { order: "A-1001" },
        userFacts: [{ name: "name", value: "Jane" }],
        scenarioExpectations: [
          {
            toolExpectation: {
              expectedToolCall: call({ args: {} }),
              mockToolResponse: call({ response: { state: "sent" } }),
            },
          },
          { agentResponse: { role: "agent", chunks: [{ text: "Done" }] } },
        ],
      },
    },
    changed: { displayName: "Returns", scenario: { task: "Return two orders", maxTurns: 5 } },
  },
  {
    what: "google_ces_evaluation_dataset",
    type: DATASET,
    id: "nightly",
    created: { displayName: "Nightly", evaluations: [`${APP}/evaluations/asks-once`] },
    changed: {
      displayName: "Nightly runs",
      evaluations: [`${APP}/evaluations/asks-once`, `${APP}/evaluations/returns`],
    },
  },
  {
    what: "google_ces_security_settings",
    type: SECURITY_SETTINGS,
    id: "settings",
    created: {
      endpointControlPolicy: {
        enforcementScope: "ALWAYS",
        allowedOrigins: ["https://example.com", "https://example.org"],
      },
    },
    changed: { endpointControlPolicy: { enforcementScope: "VPCSC_ONLY", allowedOrigins: ["https://example.org"] } },
  },
];

const TABLE = { projectId: "local", datasetId: "shop", tableId: "orders" };
const context = (systemInstruction: string) => ({
  systemInstruction,
  datasourceReferences: { bq: { tableReferences: [TABLE] } },
  options: { analysis: { python: { enabled: true } }, datasource: { bigQueryMaxBilledBytes: 1_000_000_000 } },
  exampleQueries: [
    { naturalLanguageQuestion: "How much did we sell?", sqlQuery: "SELECT SUM(total) FROM shop.orders" },
  ],
  glossaryTerms: [{ displayName: "Order", description: "What was bought", labels: ["sale"] }],
  schemaRelationships: [
    {
      leftSchemaPaths: { tableFqn: "local.shop.orders", paths: ["customer"] },
      rightSchemaPaths: { tableFqn: "local.shop.customers", paths: ["id"] },
      sources: ["LLM_SUGGESTED"],
      confidenceScore: 0.9,
    },
  ],
});

/** `google_gemini_data_analytics_data_agent`. */
export const DATA_AGENT_CONFIGURED: Configured = {
  what: "google_gemini_data_analytics_data_agent",
  type: DATA_AGENT,
  id: "sales",
  created: {
    displayName: "Sales",
    description: "Knows what was sold",
    labels: { stage: "test" },
    dataAnalyticsAgent: { publishedContext: context("Answer questions about orders.") },
  },
  changed: {
    displayName: "All sales",
    description: "Knows what was sold",
    labels: { stage: "test", changed: "true" },
    dataAnalyticsAgent: { stagingContext: context("Be short.") },
  },
};
