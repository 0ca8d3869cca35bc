// Which page is for whom and for which task. Every page of docs/ is in one group; rules and decisions are listed by their own pages.

/**
 * Groups of pages. A page is its path below docs/ without ending, with its title, who needs it, and words that people search for and
 * that its text does not have.
 */
export const GROUPS = {
  "Get started": [
    page(
      "get-started",
      "Start in five ways",
      "everybody who is new",
      "install npx quickstart try it download run hello world docker",
    ),
    page(
      "install",
      "Ways to install",
      "those who install it",
      "npm package docker podman container image helm kubernetes k8s systemd windows mac macos linux node version uninstall remove reset data start over",
    ),
    page("glossary", "Words", "everybody who wonders what a word means", "terms definitions vocabulary"),
  ],
  Tutorials: [
    page("first-app", "Your first app", "builders of an agent", "create make new agent bot tutorial beginner"),
    page(
      "tutorials/import-yours",
      "Import your app",
      "builders with an exported app",
      "migrate move zip export ces cx agent studio",
    ),
    page(
      "tutorials/voice",
      "A conversation by voice",
      "developers who connect a telephone or microphone",
      "phone call speech audio microphone tts stt",
    ),
    page(
      "tutorials/data",
      "Ask your own data",
      "analysts with tables",
      "csv parquet excel spreadsheet sql bi question",
    ),
    page(
      "tutorials/ci",
      "Prove an app in CI",
      "teams that review changes of an app",
      "github actions pipeline pull request test automation regression fail the build worse",
    ),
    page(
      "tutorials/production",
      "From a laptop to production",
      "operators",
      "deploy go live release publish rollout canary a/b test traffic split roll back",
    ),
  ],
  "Build an app": [
    page(
      "console",
      "The console",
      "builders who work in a browser",
      "web ui interface simulator debug edit an agent in the browser see the prompt what a model was sent trace span why is the answer slow latency undo rename an app",
    ),
    page(
      "tools",
      "Tools",
      "builders who connect other systems",
      "openapi rest api webhook mcp server connector secret credentials call function add a tool to an agent",
    ),
    page(
      "python",
      "Python",
      "builders who write tools and callbacks",
      "code function packages pip install numpy import library sandbox http request from python blocked",
    ),
    page(
      "search",
      "Search and files",
      "builders whose agent answers from documents",
      "rag knowledge base pdf upload vector embeddings data store",
    ),
    page("assistant", "Assistant", "builders who want changes made for them", "copilot ai helper"),
    page("generation", "Generated resources", "builders who start from a description", "generate create from prompt"),
    page("lint", "Lint", "builders who check a package", "validate check syntax errors warnings"),
    page(
      "evaluations",
      "Evaluations",
      "builders who test conversations",
      "test golden scenario judge regression simulated user mock fake tools schedule compare two runs versions flaky",
    ),
    page("recording", "Recording", "developers who reproduce a conversation", "record replay reproduce bug offline"),
  ],
  "Reach people": [
    page(
      "widget",
      "Chat widget",
      "those who put a chat on a site",
      "embed website html web chat bubble script cors allowed origins",
    ),
    page("voice", "Voice", "developers of voice clients", "phone speech audio barge-in dtmf microphone"),
    page(
      "channels",
      "Channels",
      "those who connect messengers or telephones",
      "whatsapp slack telegram twilio sms telephony sip phone number handoff to a human agent escalate to a live agent person transfer welcome message greeting",
    ),
    page(
      "compatibility",
      "Clients",
      "developers of programs that call the API",
      "client library sdk node python java go grpc endpoint cxas scrapi toolkit stream the answer streaming sse call from a browser typescript javascript curl gcloud",
    ),
    page("a2a", "Other agents (A2A)", "developers of other agents", "agent to agent protocol card"),
    page("mcp", "MCP", "users of MCP clients", "model context protocol claude cursor desktop ide"),
  ],
  "Ask your data": [
    page(
      "analytics",
      "Analytics",
      "analysts and developers",
      "connect sql database postgres postgresql bigquery snowflake duckdb csv connect question chart",
    ),
    page("semantic-model", "Semantic models", "analysts who define metrics", "metric measure dbt lookml cube osi"),
  ],
  Operate: [
    page(
      "configuration",
      "Configuration",
      "operators",
      "settings environment variables env change port host use gemini api key openai api key anthropic key ollama llm models cors allowed origins timeout limits maximum size log level change the model of an agent debug log where is data stored",
    ),
    page(
      "scale",
      "More than one machine",
      "operators of several servers",
      "connect postgres postgresql database cluster replicas high availability scaling load",
    ),
    page(
      "terraform",
      "Terraform",
      "operators with infrastructure as code",
      "infrastructure as code provider plan apply iac opentofu",
    ),
    page(
      "auth",
      "Who calls",
      "operators and administrators",
      "log in login as administrator admin authentication sign in api key token password oidc sso service account sign in with google create a user account",
    ),
    page(
      "access",
      "Who may do what",
      "administrators",
      "authorization permission role iam policy 403 rbac multi tenant projects tenants teams share",
    ),
    page(
      "audit",
      "Audit",
      "administrators and auditors",
      "log who changed history compliance who changed or deleted an agent app",
    ),
    page(
      "privacy",
      "A person asks for their data",
      "those who answer requests about personal data",
      "gdpr ccpa erasure right to be forgotten data subject access request delete data of a customer user person",
    ),
    page("quotas", "Quotas", "operators", "rate limit 429 throttle cost budget spending too many requests"),
    page(
      "security",
      "Security",
      "those who decide whether it may run",
      "threat vulnerability sandbox encryption tls secrets ssrf guardrail block bad words banned phrases",
    ),
    page(
      "backup",
      "Back up and restore",
      "operators",
      "backup restore disaster recovery dump pg_dump snapshot copy export data lost",
    ),
    page("upgrades", "Upgrades", "operators", "update version migrate backup release"),
  ],
  Concepts: [
    page(
      "callback-order",
      "The order of callbacks",
      "those who write callbacks",
      "lifecycle hook before after sequence when does my callback run adk",
    ),
    page(
      "stored-turns",
      "What is kept of a turn",
      "those who answer for data",
      "durable persistence history retention redact redaction personal data pii mask crash lose",
    ),
    page(
      "sealed-python",
      "How Python is sealed",
      "those who let code of others run",
      "sandbox isolation wasm webassembly memory restore reset",
    ),
    page("flows", "How it works", "developers who read the code", "architecture request walk through source"),
    page(
      "extend",
      "Extend the server",
      "developers who change the server",
      "add provider tool kind warehouse plugin extension custom contribute",
    ),
  ],
  Reference: [
    page(
      "commands",
      "The command line",
      "those who work in a terminal",
      "cli frontdesk command list delete an app copy rename export an app push pull two people editing the same app cannot connect to server autocomplete terminal list all apps as json output ctrl-c disk no space left",
    ),
    page(
      "errors",
      "Errors",
      "whoever got an error",
      "cannot connect to server no server responds status code message failure exception 400 401 403 404 409 429 500 503",
    ),
    page("fields", "Fields without effect", "those who move an app", "unsupported ignored field"),
    page("conformance", "Conformance", "those who compare with the hosted product", "difference compatible tested"),
    page(
      "benchmarks",
      "Benchmarks",
      "those who compare frameworks",
      "benchmark performance speed throughput turns per second adk langgraph mastra ai sdk comparison",
    ),
    page("spec/README", "Specification", "those who must know exactly", "rules behaviour"),
    page("decisions/README", "Decisions", "those who ask why", "reason adr"),
  ],
  "Coming from": [
    page(
      "coming-from/hosted",
      "The hosted product",
      "users of CX Agent Studio",
      "google cloud ces conversational agents",
    ),
    page("coming-from/dialogflow-cx", "Dialogflow CX", "users of Dialogflow CX", "flow page intent"),
    page("coming-from/rasa", "Rasa", "users of Rasa", "stories slots actions"),
    page("coming-from/langgraph", "LangGraph", "users of LangGraph", "langchain graph nodes adk"),
    page("coming-from/wrenai", "WrenAI", "users of WrenAI", "text to sql mdl"),
  ],
};

function page(path, title, reader, words) {
  return { path, title, reader, words };
}

/** The pages of docs/ by their paths. */
export const PAGES = new Map(Object.values(GROUPS).flatMap((pages) => pages.map((one) => [one.path, one])));

/** Pages of docs/ that the sidebar has. */
export const LISTED = [...PAGES.keys()];

/**
 * The sidebars by the address that they are for: the groups, with the lists of the reference; in a part of the reference its own pages
 * alone, because each page contains its sidebar.
 */
export function sidebarsWith(reference) {
  const groups = Object.entries(GROUPS).map(([text, pages]) => ({
    text,
    items: pages.map(({ title, path }) => ({ text: title, link: `/${path}` })),
  }));
  const lists = reference.map(({ title, index }) => ({ text: title, link: `/${index.path}` }));
  const all = groups.map((one) => (one.text === "Reference" ? { ...one, items: [...one.items, ...lists] } : one));
  const parts = reference.map(({ title, index, pages }) => [
    `/${index.path}`,
    [
      { text: "Reference", items: lists },
      { text: title, items: pages.map((one) => ({ text: one.title, link: `/${one.path}` })) },
    ],
  ]);
  return { ...Object.fromEntries(parts), "/": all };
}
