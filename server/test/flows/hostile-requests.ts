import { Agent, fetch } from "undici";
import type { JsonObject } from "#base";
import type { ProbedServer } from "./server-process.ts";

const PARENT = "projects/local/locations/us";

/** A request that takes much work, for the probe of the event loop. */
export interface HostileRequest {
  /** What reads it. */
  readonly group: string;
  readonly name: string;
  readonly path: string;
  /** Default POST. GET and DELETE have no body. */
  readonly method?: "GET" | "DELETE" | "PATCH" | "POST";
  /** Made when it is sent: many of them would fill the memory. */
  body(): JsonObject | string;
}

/** Texts that are hard for one reader or another, each repeated to the length that is asked for. */
const TEXTS: Readonly<Record<string, string>> = {
  words: "the quick brown fox asks about an order ",
  letters: "a",
  digits: "4111111111111111",
  "groups of digits": "4 1 1 1-",
  addresses: "a@b.c ",
  "parts of addresses": "a.b_c%+-",
  quotes: "'\"",
  "white space": " \n",
  punctuation: "({[<.+",
  accents: "e\u0301\u0300",
  "invisible characters": "a\u200b",
  placeholders: "{{text}} {text} ",
  sentences: "Is it so? Yes. ",
  "a question": "how many orders and amount and ",
};

/** What of an app reads a text: the settings that it has, and the input that it is sent. */
const READERS: Readonly<Record<string, { readonly app: AppSettings; readonly input: (text: string) => JsonObject[] }>> =
  {
    "the built-in model": { app: {}, input: said },
    "a filter of 10,000 words": { app: { filter: ["WORD_BOUNDARY_STRING_MATCH", words()] }, input: said },
    "a filter of 10,000 parts": { app: { filter: ["SIMPLE_STRING_MATCH", words()] }, input: said },
    "a filter for card numbers": { app: { filter: ["REGEXP_MATCH", ["\\b(?:\\d[ -]?){12,18}\\d\\b"]] }, input: said },
    "a filter of greedy expressions": {
      app: { filter: ["REGEXP_MATCH", ["(a+)+$", "(x+x+)+y", "(?i)[a-z ]{1,30}zq", ".*.*.*zq"]] },
      input: said,
    },
    redaction: { app: { redacts: true }, input: said },
    "a CEL condition": {
      app: {
        condition: "text.matches('(a+)+b$') || [1, 2, 3].exists(i, [1, 2, 3].exists(j, text.contains('needle')))",
      },
      input: asVariable,
    },
    "an instruction": {
      app: { instruction: "Answer. {{text}} {% if text == 'x' %}{{text}}{% endif %} {text}" },
      input: asVariable,
    },
  };

interface AppSettings {
  readonly filter?: readonly [matchType: string, bannedContents: readonly string[]];
  readonly redacts?: boolean;
  readonly condition?: string;
  readonly instruction?: string;
}

/** A condition that iterates 5.7 million times, when nothing limits it. */
const NESTED_CONDITION = ["a", "b", "c", "d", "e", "f", "g", "h"].reduce(
  (inner, name) => `[1, 2, 3, 4, 5, 6, 7].all(${name}, ${inner})`,
  "a + b + c + d + e + f + g + h > 0",
);

function words(): readonly string[] {
  return Array.from({ length: 10_000 }, (_, at) => `forbidden${at}`);
}

function said(text: string): JsonObject[] {
  return [{ text }];
}

function asVariable(text: string): JsonObject[] {
  return [{ variables: { text } }, { text: "hi" }];
}

/** Every text by every reader, texts as long as this, and requests that are hard by their structure. */
export function hostileRequests(length: number): readonly HostileRequest[] {
  const texts = Object.entries(TEXTS).map(([kind, part]) => ({
    kind,
    make: () => part.repeat(Math.ceil(length / part.length)),
  }));
  const read = Object.entries(READERS).flatMap(([reader, { input }]) =>
    texts.map(({ kind, make }) => ({
      group: reader,
      name: `${kind} for ${reader}`,
      ...turn(appOf(reader), () => input(make())),
    })),
  );
  const others = texts.flatMap(({ kind, make }) => [
    { group: "the example", name: `${kind} for the example`, ...turn("order-desk", () => said(make())) },
    { group: "a question to data", name: `${kind} as a question to data`, ...question(make) },
    { group: "a filter", name: `${kind} as a filter`, ...list("ListApps", PARENT, make) },
    {
      group: "a search of conversations",
      name: `${kind} as a search of conversations`,
      ...list(
        "ListConversations",
        `${PARENT}/apps/order-desk`,
        () => `ces_transcript.search("${make().replace(/["\n\\]/g, " ")}")`,
      ),
    },
  ]);
  return [...read, ...others, ...structures(length)];
}

/** Requests that are hard by what they have many of. */
function structures(length: number): readonly HostileRequest[] {
  const plain = appOf("the built-in model");
  const many = (count: number, item: string) => `[${`${item},`.repeat(count)}${item}]`;
  const requests = [
    { name: "nested all", ...turn(NESTED_APP, () => said("hi")) },
    ...manyConditions(length),
    { name: "a phrase of a question, repeated", ...question(() => "how many orders and amount and ".repeat(1_000)) },
    { name: "100,000 inputs", ...turn(plain, () => Array.from({ length: 100_000 }, () => ({ text: "a" }))) },
    { name: "1,000 inputs", ...turn(plain, () => Array.from({ length: 1_000 }, () => ({ text: "a".repeat(1_000) }))) },
    { name: "45,000 wrong inputs", ...turn(plain, () => Array.from({ length: 45_000 }, () => ({ text: 1 }))) },
    {
      name: "45,000 values of a variable",
      ...turn(plain, () => asVariableOf(Array.from({ length: 45_000 }, () => 1))),
    },
    { name: "80,000 values of data for an agent", ...a2aMessage(plain, ones(80_000)) },
    { name: "9,900 values of data for an agent", ...a2aMessage(plain, ones(9_900)) },
    { name: "25,000 values of metadata for an agent", ...a2aMessage(plain, [1], ones(25_000)) },
    { ...turn(plain, () => []), name: "ten million empty inputs", body: () => `{"inputs":${many(10_000_000, "{}")}}` },
    { ...turn(plain, () => []), name: "ten million lists", body: () => "[".repeat(10_000_000) },
    ...longNames(length),
    {
      name: "three million inputs over Connect",
      path: "/google.cloud.ces.v1beta.SessionService/RunSession",
      body: () => `{"inputs":${many(3_000_000, "{}")}}`,
    },
  ];
  return requests.map((request) => ({ ...request, group: "many values" }));
}

/** Texts of this length where a name is expected. */
function longNames(length: number): readonly Omit<HostileRequest, "group">[] {
  const service = "/google.cloud.ces.v1beta.AgentService";
  const call = (method: string, params: JsonObject) => ({ jsonrpc: "2.0", id: 1, method, params });
  const unknown = () => Object.fromEntries(Array.from({ length: length / 20 }, (_, at) => [`unknown${at}`, 1]));
  return [
    {
      name: "a name of many segments",
      path: `${service}/GetApp`,
      body: () => ({ name: "a/".repeat(length / 2) }),
    },
    {
      name: "a mask with a path of many steps",
      path: `${service}/UpdateApp`,
      body: () => ({ app: { name: `${PARENT}/apps/${NESTED_APP}` }, updateMask: `a${".a".repeat(length / 2)}` }),
    },
    {
      name: "a tool of MCP with a long name",
      path: "/mcp",
      body: () => call("tools/call", { name: "a".repeat(length), arguments: {} }),
    },
    {
      name: "a tool of MCP with many unknown arguments",
      path: "/mcp",
      body: () => call("tools/call", { name: "list_apps", arguments: unknown() }),
    },
  ];
}

function asVariableOf(text: JsonObject[string]): JsonObject[] {
  return [{ variables: { text } }, { text: "hi" }];
}

const ones = (count: number): number[] => Array.from({ length: count }, () => 1);

/** A message of the A2A protocol with data and metadata, by JSON-RPC. */
function a2aMessage(app: string, data: number[], ones: number[] = []): { readonly path: string; body(): JsonObject } {
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ data }], metadata: { ones } };
  const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  return { path: `/a2a/${PARENT}/apps/${app}`, body: () => body };
}

let sessions = 0;

export function turn(app: string, inputs: () => JsonObject[]): { readonly path: string; body(): JsonObject } {
  const session = `${PARENT}/apps/${app}/sessions/hostile-${sessions++}`;
  return { path: `/v1beta/${session}:runSession`, body: () => ({ config: { session }, inputs: inputs() }) };
}

function question(text: () => string): { readonly path: string; body(): JsonObject } {
  const dataAgentContext = { dataAgent: `${PARENT}/dataAgents/shop` };
  return {
    path: `/v1beta/${PARENT}:chat`,
    body: () => ({ messages: [{ userMessage: { text: text() } }], dataAgentContext }),
  };
}

function list(method: string, parent: string, filter: () => string): { readonly path: string; body(): JsonObject } {
  return { path: `/google.cloud.ces.v1beta.AgentService/${method}`, body: () => ({ parent, filter: filter() }) };
}

/** A harmless request of the same length, to compare with. */
export function harmlessRequest(length: number): HostileRequest {
  return {
    group: "a harmless text",
    name: "a long text",
    ...turn(appOf("the built-in model"), () => said("word ".repeat(length / 5))),
  };
}

const NESTED_APP = "hostile-nested";

function appOf(reader: string): string {
  return `hostile-${Object.keys(READERS).indexOf(reader)}`;
}

/** Creates the apps that the requests need, on a server with the example app and the sample shop. */
export async function createHostileApps(address: string): Promise<void> {
  const apps = Object.entries(READERS).map(([reader, { app }]) => [appOf(reader), app] as const);
  for (const [id, settings] of [...apps, [NESTED_APP, { condition: NESTED_CONDITION }] as const]) {
    await createApp(address, id, settings);
  }
}

export async function createApp(address: string, id: string, settings: AppSettings): Promise<void> {
  const app = `${PARENT}/apps/${id}`;
  const send = (method: string, path: string, body: JsonObject) => sendJson(`${address}/v1beta/${path}`, method, body);
  await send("POST", `${PARENT}/apps?appId=${id}`, {
    displayName: id,
    variableDeclarations: [{ name: "text", description: "A text.", schema: { type: "STRING" } }],
    ...(settings.redacts && { loggingSettings: { redactionConfig: { enableRedaction: true } } }),
  });
  if (settings.filter) {
    const [matchType, bannedContents] = settings.filter;
    await send("POST", `${app}/guardrails?guardrailId=the-filter`, {
      displayName: "Filter",
      enabled: true,
      contentFilter: { matchType, bannedContents: [...bannedContents] },
      action: { respondImmediately: { responses: [{ text: "No." }] } },
    });
  }
  await send("POST", `${app}/agents?agentId=the-child`, { displayName: "Child", instruction: "Answer." });
  await send("POST", `${app}/agents?agentId=the-agent`, agentOf(app, settings));
  await send("PATCH", `${app}?updateMask=rootAgent`, { rootAgent: `${app}/agents/the-agent` });
}

function agentOf(app: string, { filter, condition, instruction = "Answer." }: AppSettings): JsonObject {
  const child = `${app}/agents/the-child`;
  return {
    displayName: "Agent",
    instruction,
    childAgents: [child],
    ...(filter && { guardrails: [`${app}/guardrails/the-filter`] }),
    ...(condition && {
      transferRules: [ruleOf(child, condition)],
    }),
  };
}

function ruleOf(childAgent: string, expression: string): JsonObject {
  const direction = "PARENT_TO_CHILD";
  return { childAgent, direction, deterministicTransfer: { expressionCondition: { expression } } };
}

/** A change of an agent's transfer rules, and a policy, with conditions of this length. */
function manyConditions(length: number): readonly Omit<HostileRequest, "group">[] {
  const app = `${PARENT}/apps/${NESTED_APP}`;
  const long = `1 == 2${" || 1 == 2".repeat(1_000)}`.slice(0, 9_996);
  const count = Math.ceil(length / long.length);
  const expressions = Array.from({ length: count }, (_, at) => (at < 30 ? NESTED_CONDITION : long));
  const transferRules = expressions.map((expression) => ruleOf(`${app}/agents/the-child`, expression));
  const bindings = expressions.map((expression) => ({
    role: "roles/viewer",
    members: ["allUsers"],
    condition: { expression },
  }));
  return [
    {
      name: "many conditions of rules",
      method: "PATCH",
      path: `/v1beta/${app}/agents/the-agent?updateMask=transferRules`,
      body: () => ({ transferRules }),
    },
    { name: "a turn with many conditions of rules", ...turn(NESTED_APP, () => said("hi")) },
    {
      name: "many conditions of a policy",
      path: `/v1/${app}:setIamPolicy`,
      body: () => ({ policy: { version: 3, bindings } }),
    },
  ];
}

async function sendJson(url: string, method: string, body: JsonObject): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
}

/** Sends requests one after the other; the longest that the main thread of the server worked meanwhile without serving others. */
export async function longestBlock(server: ProbedServer, requests: readonly HostileRequest[]): Promise<number> {
  await server.longestBlock();
  for (const request of requests) await sendToEnd(server.address, request);
  return server.longestBlock();
}

/** Sends a request and waits for the end of the operation that it begins, if it does. */
async function sendToEnd(address: string, { path, body, method = "POST" }: HostileRequest): Promise<void> {
  const given = body();
  const text = typeof given === "string" ? given : JSON.stringify(given);
  const answer = await send(method, address + path, method === "GET" || method === "DELETE" ? undefined : text);
  const operation = /"name":\s*"([^"]*\/operations\/[^"]*)"/.exec(answer.slice(0, 1_000))?.[1];
  if (operation === undefined) return;
  const wait = JSON.stringify({ name: operation, timeout: "60s" });
  for (let waited = ""; !/"done":\s*true/.test(waited); )
    waited = (await send("POST", `${address}/google.longrunning.Operations/WaitOperation`, wait)).slice(0, 2_000);
}

/** Of the package: Node's own, which is the default once its fetch was used, ends the process when a closed connection still has to be read. */
const dispatcher = new Agent();

async function send(method: string, url: string, body: string | undefined): Promise<string> {
  // A kept connection may close while a body of 20 MB is made.
  const headers = { "content-type": "application/json", connection: "close" };
  const response = await fetch(url, { method, headers, dispatcher, ...(body !== undefined && { body }) });
  return response.text();
}
