// Configurations of each type of resource: as it is created, and as it is changed afterwards.
import {
  APP_CREATED,
  CALLBACK,
  CHANNEL,
  callbacks,
  clientFunction,
  LIST,
  OAUTH,
  openApi,
} from "./configured-values.ts";
import {
  AGENT,
  APP,
  APP_ID,
  APP_TYPE,
  agentTransfer,
  type Configured,
  call,
  DEPLOYMENT,
  EXAMPLE,
  GUARDRAIL,
  IMAGE,
  LOCATION,
  TOOL,
  TOOLSET,
  VERSION,
} from "./resource-types.ts";

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
