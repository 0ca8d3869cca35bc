import { setTimeout as delay } from "node:timers/promises";
import type { TestServer } from "#testing";
import { api } from "./edit-api.ts";
import { APP, converse } from "./open-console.ts";

/** A page of the console's router, for the checks that hold for every page. */
interface ConsolePage {
  /** Name of the component in `console/src/routes/router.tsx` that draws it. */
  readonly route: string;
  /** An address of it on a server with the example, where `SEEDS` were said. `{run}` and `{result}` are of the run that `seedRun` makes. */
  readonly path: string;
  /** What is visible once the page has everything, as a Playwright selector. */
  readonly ready: string;
}

const APP_PATH = `/console/${APP}`;

/** Said before the pages are opened: session and text. A session's conversation has the same id. */
const SEEDS: readonly (readonly [session: string, text: string])[] = [
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
    "scheduledEvaluationRuns?scheduledEvaluationRunId=seeded-schedule",
    {
      displayName: "Seeded",
      request: { app: APP, evaluations: [`${APP}/evaluations/broken-mug-return`] },
      schedulingConfig: { frequency: "DAILY", startTime: "2030-01-01T06:00:00Z" },
    },
  ],
  [
    "deployments?deploymentId=seeded-deployment",
    { displayName: "Seeded", appVersion: `${APP}/versions/seeded-version`, channelProfile: { channelType: "API" } },
  ],
];

/** Makes on a server with the example what the addresses of `PAGES` need, and returns what completes them. */
export async function seedPages(server: TestServer): Promise<(path: string) => string> {
  for (const [path, body] of RESOURCES) await api(server, "POST", `${APP}/${path}`, body);
  for (const [session, text] of SEEDS) await converse(server, session, text);
  const [run, file, shared] = [await seedRun(server), await seedFile(server), await seedSharedAnswer(server)];
  return (path) => run(file(shared(path)));
}

const SHOP = "projects/local/locations/us/dataAgents/shop";
const ORDERS = "placed,region,price\n3/4/2026,North,$20.00\n5/6/2026,South,$12.50\n";

/** Uploads a file with tables and returns its name, for addresses. */
async function seedFile({ address }: Pick<TestServer, "address">): Promise<(path: string) => string> {
  const upload = `${address}/upload/v1beta/projects/local/locations/us/dataFiles?displayName=orders.csv`;
  const file = (await (await fetch(upload, { method: "POST", body: ORDERS })).json()) as { readonly name: string };
  return (path) => path.replace("{file}", file.name);
}

/** Makes a link to an answer and returns its name, for addresses. */
async function seedSharedAnswer(server: TestServer): Promise<(path: string) => string> {
  const { name } = await api<{ name: string }>(server, "POST", `${SHOP}/sharedAnswers`, {
    question: "Stores by region",
    sqlQuery: "SELECT region, count(*) AS stores FROM local.shop.stores GROUP BY 1",
  });
  return (path) => path.replace("{shared}", name);
}

/** Runs the example's evaluations and returns the names of the run and of one of its results, for addresses. */
async function seedRun(server: TestServer): Promise<(path: string) => string> {
  const { evaluations } = await api<{ evaluations: readonly { name: string }[] }>(server, "GET", `${APP}/evaluations`);
  const names = evaluations.map(({ name }) => name);
  let operation = await api<RunOperation>(server, "POST", `${APP}:runEvaluation`, { evaluations: names });
  for (; !operation.done; operation = await api<RunOperation>(server, "GET", operation.name)) await delay(20);
  const { evaluationRun } = operation.metadata;
  const run = await api<{ evaluationResults: readonly string[] }>(server, "GET", evaluationRun);
  return (path) => path.replace("{run}", evaluationRun).replace("{result}", run.evaluationResults[0] ?? "");
}

interface RunOperation {
  readonly name: string;
  readonly done?: boolean;
  readonly metadata: { readonly evaluationRun: string };
}

/** Every page of the router, at least once. A page that is not here fails `pages.test.ts`. */
export const PAGES: readonly ConsolePage[] = [
  { route: "HomeRoute", path: "/", ready: "text=Start session" },
  { route: "AppsRoute", path: "/console", ready: "table" },
  { route: "DataFilesRoute", path: "/console/dataFiles", ready: "text=Drop a file here" },
  { route: "DataFileRoute", path: "/console/{file}", ready: "text=Ask this data" },
  { route: "DataAgentsRoute", path: "/console/dataAgents", ready: "form.composer" },
  { route: "DataAgentRoute", path: `/console/${SHOP}`, ready: "form.composer" },
  { route: "SharedAnswerRoute", path: "/console/{shared}", ready: 'button:enabled:has-text("Download SVG")' },
  { route: "SimulatorRoute", path: `${APP_PATH}/simulator`, ready: "text=Start session" },
  { route: "SimulatorRoute", path: `${APP_PATH}/simulator?sessions=seeded-1`, ready: '.turn[data-status="done"]' },
  { route: "ConversationsRoute", path: `${APP_PATH}/conversations`, ready: "text=No issues" },
  { route: "ConversationsRoute", path: `${APP_PATH}/conversations?view=metrics`, ready: ".time-plot canvas" },
  { route: "ConversationRoute", path: `${APP_PATH}/conversations/seeded-1`, ready: ".waterfall" },
  { route: "ConnectRoute", path: `${APP_PATH}/connect`, ready: "text=Open demo page" },
  { route: "AuditRoute", path: "/console/audit?range=any", ready: "table" },
  { route: "QuotasRoute", path: "/console/quotas", ready: "text=No limits" },
  { route: "OperationsRoute", path: "/console/operations", ready: "text=/No operations|Begun/" },
  { route: "ServerRoute", path: "/console/server", ready: "text=Since server start" },
  // Where nobody is asked who they are, signing in leads on at once.
  { route: "SignInRoute", path: "/console/sign-in", ready: "text=Start session" },
  { route: "AccountRoute", path: "/console/account", ready: "text=does not ask who calls" },
  { route: "DeviceRoute", path: "/console/device", ready: "text=Allow" },
  { route: "MembersRoute", path: "/console/members", ready: "text=No members" },
  { route: "KeysRoute", path: "/console/keys", ready: "text=No keys" },
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
  { route: "EvaluationsRoute", path: `${APP_PATH}/evaluations`, ready: ".metric-cards" },
  { route: "EvaluationRoute", path: `${APP_PATH}/evaluations/broken-mug-return?conversation=seeded-1`, ready: ".turn" },
  { route: "EvaluationRoute", path: `${APP_PATH}/evaluations/broken-mug-return?tab=results`, ready: "table" },
  { route: "EvaluationRunsRoute", path: `${APP_PATH}/evaluationRuns`, ready: "table" },
  { route: "EvaluationRunRoute", path: "/console/{run}", ready: "table" },
  { route: "EvaluationResultRoute", path: "/console/{result}", ready: ".waterfall" },
  { route: "ScheduledEvaluationRunsRoute", path: `${APP_PATH}/scheduledEvaluationRuns`, ready: "table" },
  {
    route: "ScheduledEvaluationRunRoute",
    path: `${APP_PATH}/scheduledEvaluationRuns/seeded-schedule`,
    ready: ".message-form",
  },
  { route: "VersionsRoute", path: `${APP_PATH}/versions`, ready: "table" },
  { route: "VersionRoute", path: `${APP_PATH}/versions/seeded-version`, ready: ".change" },
  { route: "DeploymentsRoute", path: `${APP_PATH}/deployments`, ready: "table" },
  { route: "DeploymentRoute", path: `${APP_PATH}/deployments/seeded-deployment`, ready: "text=Split traffic" },
  { route: "ChangelogsRoute", path: `${APP_PATH}/changelogs`, ready: "details" },
  { route: "SettingsRoute", path: `${APP_PATH}/settings`, ready: ".message-form" },
];
