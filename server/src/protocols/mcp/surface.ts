/** What an endpoint serves: the methods of one product. */
export interface Surface {
  /** Path of the endpoint. */
  readonly path: string;
  /** Proto package of the services, in the internal revision. */
  readonly package: string;
  /** The name that clients show. */
  readonly title: string;
  /** Instructions for the model that uses the tools. */
  readonly instructions: string;
}

/** Customer-engagement agents: `/mcp`, as in the hosted product. */
export const CES: Surface = {
  path: "/mcp",
  package: "google.cloud.ces.v1beta",
  title: "Frontdesk",
  instructions:
    "Manages apps of conversational agents. An app has agents, tools, toolsets, guardrails, examples, deployments, versions, conversations and evaluations, each with a resource name that begins with that of the app. Start with list_apps (parent projects/local/locations/us on a new server). Read before you change, send updateMask and etag, and try the change with run_session. After a tool that returns an operation, call get_operation until it is done.",
};

/** Conversational analytics: an endpoint of its own, because names such as `get_conversation` are in both (MCP-10). */
export const ANALYTICS: Surface = {
  path: "/mcp/analytics",
  package: "google.cloud.geminidataanalytics.v1beta",
  title: "Frontdesk Analytics",
  instructions:
    "Answers questions about data. A data agent knows tables and how to read them. Start with list_data_agents, then ask with chat; it returns text, queries, rows and charts.",
};
