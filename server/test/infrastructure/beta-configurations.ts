// Configurations of the types that v1beta alone has.
import {
  APP,
  agentTransfer,
  type Configured,
  call,
  DATA_AGENT,
  DATASET,
  EVALUATION,
  SECURITY_SETTINGS,
} from "./resource-types.ts";

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
