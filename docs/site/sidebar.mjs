// Which page is for which task. Every page of docs/ is in one group; what is not in a group of tasks is found by search.

/** Groups of pages by their titles; a page is its path below docs/ without ending. */
const GROUPS = {
  "Get started": {
    "Start in five ways": "get-started",
    "Your first app": "first-app",
    "Ways to install": "install",
    Words: "glossary",
  },
  "Build an app": {
    "The console": "console",
    Tools: "tools",
    Python: "python",
    "Search and files": "search",
    Assistant: "assistant",
    "Generated resources": "generation",
    Lint: "lint",
    Evaluations: "evaluations",
    Recording: "recording",
  },
  "Reach people": {
    "Chat widget": "widget",
    Voice: "voice",
    Channels: "channels",
    "Other agents (A2A)": "a2a",
    MCP: "mcp",
  },
  "Ask your data": { Analytics: "analytics", "Semantic models": "semantic-model" },
  Operate: {
    Configuration: "configuration",
    "More than one machine": "scale",
    Terraform: "terraform",
    "Who calls": "auth",
    "Who may do what": "access",
    Audit: "audit",
    Quotas: "quotas",
    Security: "security",
    Upgrades: "upgrades",
  },
  Reference: {
    Commands: "commands",
    Clients: "compatibility",
    Errors: "errors",
    "Fields without effect": "fields",
    Conformance: "conformance",
    Specification: "spec/README",
    "How it works": "flows",
    Decisions: "decisions/README",
  },
  "Coming from": {
    "The hosted product": "coming-from/hosted",
    "Dialogflow CX": "coming-from/dialogflow-cx",
    Rasa: "coming-from/rasa",
    LangGraph: "coming-from/langgraph",
    WrenAI: "coming-from/wrenai",
  },
};

/** Pages of docs/ that the sidebar has. */
export const LISTED = Object.values(GROUPS).flatMap((pages) => Object.values(pages));

export const SIDEBAR = Object.entries(GROUPS).map(([text, pages]) => ({
  text,
  items: Object.entries(pages).map(([title, page]) => ({ text: title, link: `/${page}` })),
}));
