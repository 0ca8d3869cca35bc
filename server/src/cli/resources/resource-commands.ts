import { type Command, SERVER_FLAGS } from "../command.ts";
import { OUTPUT_FLAGS } from "../output/print-result.ts";

/** What each collection is, by its word. The words and their methods come from the annotations of the API; this is for the help. */
export const COLLECTIONS: Readonly<Record<string, string>> = {
  apps: "apps",
  agents: "agents of an app",
  tools: "tools of an app",
  toolsets: "toolsets of an app",
  guardrails: "guardrails of an app",
  examples: "examples of an app",
  deployments: "deployments of an app",
  versions: "versions of an app",
  changelogs: "changes of an app",
  conversations: "conversations with an app",
  evaluations: "evaluations of an app",
  "evaluation-datasets": "datasets of evaluations",
  "evaluation-expectations": "expectations of evaluations",
  "evaluation-results": "results of evaluations",
  "evaluation-runs": "runs of evaluations",
  "scheduled-evaluation-runs": "runs of evaluations by schedule",
  "security-settings": "security settings of a project",
  "data-agents": "data agents",
  "data-conversations": "conversations with data agents",
  "data-files": "files with tables that people uploaded",
  "data-connections": "databases that people connected",
  "data-agent-refresh-schedules": "schedules of the pinned questions of a data agent",
  "data-agent-shared-answers": "links to answers of a data agent",
};

const VERBS = ["list", "get", "create", "update", "delete"];

/** The verbs of collections that lack some of them. */
const FEWER_VERBS: Readonly<Record<string, readonly string[]>> = {
  changelogs: ["list", "get"],
  conversations: ["list", "get", "delete"],
  "evaluation-results": ["list", "get", "delete"],
  "evaluation-runs": ["list", "get", "delete"],
  "security-settings": ["get", "update"],
  "data-conversations": ["list", "get", "create", "delete"],
  "data-agent-shared-answers": ["list", "get", "create", "delete"],
};

/** The verbs of a collection, by its word. */
const verbsOf = (name: string) => FEWER_VERBS[name] ?? VERBS;

/** `frontdesk apps list` and its like: the standard methods of each collection. */
export const resourceCommands: readonly Command[] = Object.entries(COLLECTIONS).map(([name, summary]) => ({
  name,
  operands: `${verbsOf(name).join("|")} ${verbsOf(name).includes("delete") ? "[name …]" : "[name]"}`,
  words: verbsOf(name),
  summary,
  flags: [
    { name: "app", value: "name", summary: "the app: an id or a resource name (default: the example app)" },
    { name: "parent", value: "name", summary: "the parent, in place of --app, --project and --location" },
    {
      name: "file",
      value: "file",
      summary: "the resource for create and update, as JSON or YAML; - for standard input",
    },
    { name: "mask", value: "fields", summary: "fields to update, separated by commas (default: those of the file)" },
    { name: "filter", value: "text", summary: "what list shows, or delete deletes, as in the API", mayBeEmpty: true },
    { name: "order-by", value: "text", summary: "the order of list, as in the API", mayBeEmpty: true },
    { name: "limit", value: "n", summary: "most resources that list shows (default: all)" },
    { name: "force", summary: "delete without asking, with what belongs to the resource" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: examplesOf(name),
  // Loaded when it runs: descriptors of all services take longer than most commands.
  run: async (input) => (await import("./run-resource-command.ts")).runResourceCommand(name, input),
}));

/** The app's parts need an app, and there is one of the security settings. */
function examplesOf(name: string): readonly string[] {
  if (name === "security-settings") return [`${name} get`, `${name} update --file settings.yaml --project retail`];
  const [, ofAgent] = /^data-agent-(.+)$/.exec(name) ?? [];
  if (ofAgent) {
    const agent = "projects/local/locations/us/dataAgents/shop";
    const plural = ofAgent.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    return [`${name} list --parent ${agent}`, `${name} delete ${agent}/${plural}/my-id`];
  }
  if (name === "data-files") return [`${name} create orders.csv`, `${name} list`];
  if (name === "data-connections") return [`${name} create --file shop-db.json`, `${name} list`];
  if (name === "conversations") {
    const filter = `text:"jane@example.com"`;
    return [`${name} list --app order-desk`, `${name} delete --app order-desk --filter '${filter}'`];
  }
  if (name === "apps" || name.startsWith("data-")) return [`${name} list`, `${name} get my-id --json`];
  return [`${name} list --app order-desk`, `${name} get my-id --app order-desk --output yaml`];
}
