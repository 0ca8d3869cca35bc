import { locationOf } from "../../api/resource-names.ts";

/** A code sample that makes a call of the page from outside. */
interface Snippet {
  readonly id: "curl" | "node" | "python" | "mcp";
  readonly label: string;
  /** One sentence: what it does, where it belongs. */
  readonly note: string;
  readonly text: string;
  /** What is done with it next; it is copied by itself. */
  readonly then?: { readonly note: string; readonly text: string } | undefined;
}

/** What is on screen, and where its server is. */
export type Subject = { readonly origin: string } & (
  | { readonly kind: "session"; readonly session: string; readonly deployment?: string }
  | { readonly kind: "app"; readonly app: string }
  | { readonly kind: "data-agent"; readonly agent: string }
);

/** Snippets for what is on screen. They contain no credentials: where the server asks who calls, they read an API key or token from `FRONTDESK_TOKEN`. */
export function snippetsFor(subject: Subject, authenticated = false): readonly Snippet[] {
  const call = callFor(subject, authenticated);
  return [
    { id: "curl", label: "curl", note: `${call.does} Run it in a shell.`, text: curl(call) },
    { id: "node", label: "Node.js", note: `${call.does} Requires Node.js 18 or later, no packages.`, text: node(call) },
    {
      id: "python",
      label: "Python",
      note: `${call.does} Requires Python 3.8 or later, no packages.`,
      text: python(call),
    },
    { id: "mcp", label: "MCP", ...call.mcp },
  ];
}

/** One call over REST, and how its answer is read. */
interface Call {
  readonly does: string;
  readonly authenticated: boolean;
  readonly address: string;
  readonly body: object;
  /** Expressions that print the text of a variable `answer`. */
  readonly nodeSays: string;
  readonly pythonSays: readonly string[];
  readonly mcp: Pick<Snippet, "note" | "text" | "then">;
}

function callFor(subject: Subject, authenticated: boolean): Call {
  if (subject.kind === "data-agent") return questionCall(subject, authenticated);
  const session = subject.kind === "session" ? subject.session : `${subject.app}/sessions/my-first-session`;
  const deployment = subject.kind === "session" ? subject.deployment : undefined;
  const config = { session, deployment: deployment || undefined };
  const request = { config, inputs: [{ text: "Hello" }] };
  return {
    authenticated,
    does: subject.kind === "app" ? "Sends a message to the app in a new session." : "Sends a message in this session.",
    address: `${subject.origin}/v1beta/${session}:runSession`,
    body: request,
    nodeSays: 'console.log(answer.outputs.map(({ text }) => text ?? "").join(""));',
    pythonSays: ['print("".join(output.get("text", "") for output in answer["outputs"]))'],
    mcp: mcpCall(subject.origin, authenticated, request),
  };
}

function questionCall({ origin, agent }: Extract<Subject, { kind: "data-agent" }>, authenticated: boolean): Call {
  const parent = locationOf(agent);
  const question = "What can I ask you?";
  return {
    authenticated,
    does: "Asks the data agent a question. The response is a list of messages.",
    address: `${origin}/v1beta/${parent}:chat`,
    body: { messages: [{ userMessage: { text: question } }], dataAgentContext: { dataAgent: agent } },
    nodeSays:
      'for (const { systemMessage } of answer) console.log(systemMessage?.text?.parts?.join("") ?? JSON.stringify(systemMessage));',
    pythonSays: [
      "for message in answer:",
      '    print("".join(message["systemMessage"].get("text", {}).get("parts", [])) or json.dumps(message["systemMessage"]))',
    ],
    mcp: mcpSetup(origin, authenticated),
  };
}

function curl({ address, body, authenticated }: Call): string {
  return [
    `curl -s '${address}' \\`,
    "  -H 'content-type: application/json' \\",
    ...(authenticated ? ['  -H "authorization: Bearer $FRONTDESK_TOKEN" \\'] : []),
    `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ].join("\n");
}

function node({ address, body, nodeSays, authenticated }: Call): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the snippet that has a template
  const token = authenticated ? ", authorization: `Bearer ${process.env.FRONTDESK_TOKEN}`" : "";
  return [
    `const response = await fetch(${JSON.stringify(address)}, {`,
    '  method: "POST",',
    `  headers: { "content-type": "application/json"${token} },`,
    `  body: JSON.stringify(${indented(body)}),`,
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "const answer = await response.json();",
    nodeSays,
  ].join("\n");
}

function python({ address, body, pythonSays, authenticated }: Call): string {
  const token = authenticated ? ', "authorization": "Bearer " + os.environ["FRONTDESK_TOKEN"]' : "";
  return [
    "import json",
    ...(authenticated ? ["import os"] : []),
    "from urllib.request import Request, urlopen",
    "",
    // A JSON text of texts, lists and objects is Python, too.
    `body = ${JSON.stringify(body, null, 4)}`,
    "request = Request(",
    `    ${JSON.stringify(address)},`,
    "    data=json.dumps(body).encode(),",
    `    headers={"content-type": "application/json"${token}},`,
    ")",
    "answer = json.load(urlopen(request))",
    ...pythonSays,
  ].join("\n");
}

function indented(body: object): string {
  return JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
}

function mcpSetup(origin: string, authenticated: boolean): Call["mcp"] {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: MCP clients put the variable in
  const headers = authenticated ? { headers: { Authorization: "Bearer ${FRONTDESK_TOKEN}" } } : {};
  return {
    note: "Add this to the configuration of your MCP client (Streamable HTTP).",
    text: JSON.stringify({ mcpServers: { frontdesk: { type: "http", url: `${origin}/mcp`, ...headers } } }, null, 2),
  };
}

/** The configuration, and the same call as the client would make it. */
function mcpCall(origin: string, authenticated: boolean, body: object): Call["mcp"] {
  const then = { note: "Then call the tool run_session with these arguments:", text: JSON.stringify(body, null, 2) };
  return { ...mcpSetup(origin, authenticated), then };
}

/** The two lines that put the chat on a page. */
export function widgetSnippet(origin: string, deployment: string): string {
  return `<script src="${origin}/widget.js" async></script>\n<frontdesk-chat deployment="${deployment}"></frontdesk-chat>`;
}
