import { APP } from "./open-console.ts";

/** A page of the console's router, for the checks that hold for every page. */
export interface ConsolePage {
  /** Name of the component in `console/src/routes/router.tsx` that draws it. */
  readonly route: string;
  /** An address of it on a server with the example, where `SEEDS` were said. */
  readonly path: string;
  /** What is visible once the page has everything, as a Playwright selector. */
  readonly ready: string;
}

const APP_PATH = `/console/${APP}`;

/** Said before the pages are opened: session and text. A session's conversation has the same id. */
export const SEEDS: readonly (readonly [session: string, text: string])[] = [
  ["seeded-1", "Where is my order A-1001?"],
  ["seeded-2", "I would like to talk about the weather"],
];

/** What the example lacks and pages of single resources need: collection with id, and the resource as REST takes it. */
export const RESOURCES: readonly (readonly [path: string, body: object])[] = [
  ["versions?appVersionId=seeded-version", { displayName: "Seeded" }],
  [
    "toolsets?toolsetId=seeded-toolset",
    {
      displayName: "seeded",
      openApiToolset: {
        openApiSchema: JSON.stringify({
          openapi: "3.0.3",
          info: { title: "Seeded", version: "1" },
          servers: [{ url: "https://shop.example" }],
          paths: { "/hours": { get: { operationId: "getHours", responses: { 200: { description: "The hours." } } } } },
        }),
      },
    },
  ],
  [
    "examples?exampleId=seeded-example",
    { displayName: "Seeded", messages: [{ role: "user", chunks: [{ text: "Hello" }] }] },
  ],
  [
    "deployments?deploymentId=seeded-deployment",
    { displayName: "Seeded", appVersion: `${APP}/versions/seeded-version`, channelProfile: { channelType: "API" } },
  ],
];

/** Every page of the router, at least once. A page that is not here fails `pages.test.ts`. */
export const PAGES: readonly ConsolePage[] = [
  { route: "HomeRoute", path: "/", ready: "text=Start session" },
  { route: "AppsRoute", path: "/console", ready: "table" },
  { route: "DataAgentsRoute", path: "/console/dataAgents", ready: "form.composer" },
  { route: "DataAgentRoute", path: "/console/projects/local/locations/us/dataAgents/shop", ready: "form.composer" },
  { route: "SimulatorRoute", path: `${APP_PATH}/simulator`, ready: "text=Start session" },
  { route: "SimulatorRoute", path: `${APP_PATH}/simulator?sessions=seeded-1`, ready: '.turn[data-status="done"]' },
  { route: "ConversationsRoute", path: `${APP_PATH}/conversations`, ready: "text=No issues" },
  { route: "ConversationsRoute", path: `${APP_PATH}/conversations?view=metrics`, ready: ".time-plot canvas" },
  { route: "ConversationRoute", path: `${APP_PATH}/conversations/seeded-1`, ready: ".waterfall" },
  { route: "ConnectRoute", path: `${APP_PATH}/connect`, ready: "text=Open demo page" },
  { route: "ServerRoute", path: "/console/server", ready: "text=Since server start" },
  { route: "AgentsRoute", path: `${APP_PATH}/agents`, ready: ".react-flow__node" },
  { route: "AgentRoute", path: `${APP_PATH}/agents/front-desk`, ready: ".cm-content" },
  { route: "AgentRoute", path: `${APP_PATH}/agents/front-desk?tab=callbacks`, ready: ".cm-content" },
  { route: "ToolsRoute", path: `${APP_PATH}/tools`, ready: "table" },
  { route: "ToolRoute", path: `${APP_PATH}/tools/look_up_order`, ready: ".cm-content" },
  { route: "ToolsetRoute", path: `${APP_PATH}/toolsets/seeded-toolset`, ready: "table" },
  { route: "GuardrailsRoute", path: `${APP_PATH}/guardrails`, ready: "table" },
  { route: "GuardrailRoute", path: `${APP_PATH}/guardrails/no-card-numbers`, ready: ".message-form" },
  { route: "VariablesRoute", path: `${APP_PATH}/variables`, ready: ".cm-content" },
  { route: "ExamplesRoute", path: `${APP_PATH}/examples`, ready: "table" },
  { route: "ExampleRoute", path: `${APP_PATH}/examples/seeded-example`, ready: ".message-form" },
  { route: "VersionsRoute", path: `${APP_PATH}/versions`, ready: "table" },
  { route: "VersionRoute", path: `${APP_PATH}/versions/seeded-version`, ready: ".change" },
  { route: "DeploymentsRoute", path: `${APP_PATH}/deployments`, ready: "table" },
  { route: "DeploymentRoute", path: `${APP_PATH}/deployments/seeded-deployment`, ready: "text=Split traffic" },
  { route: "ChangelogsRoute", path: `${APP_PATH}/changelogs`, ready: "details" },
  { route: "SettingsRoute", path: `${APP_PATH}/settings`, ready: ".message-form" },
];
