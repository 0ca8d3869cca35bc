import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DescMethod, fromJson, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { Health } from "@frontdesk/protos/grpc/health/v1/health";
import { createRoles, type MethodRule } from "#access";
import type { JsonObject } from "#base";
import type { RegisteredMethod } from "#rpc";
import type { TestServer } from "#testing";
import { openWebSocket } from "../live/web-socket-client.ts";
import { ask } from "../mcp/client.ts";
import { setRoles, startAccessServer, tokenOf } from "./access-server.ts";
import { MORE, type Sample, samplesOf } from "./sample-requests.ts";

/** The roles of callers on the project acme. `stranger` owns another project, `nobody` has no credential. */
const ROLES: Readonly<Record<string, string | undefined>> = {
  nobody: undefined,
  client: "roles/ces.client",
  viewer: "roles/viewer",
  editor: "roles/editor",
  admin: "roles/owner",
  stranger: undefined,
};
const CALLERS = Object.keys(ROLES);

let server: TestServer;
let methods: readonly RegisteredMethod[];
/** Those of the revision that handlers use: the rules of all revisions are the same. */
let internal: readonly RegisteredMethod[];
before(async () => {
  server = await startAccessServer(CALLERS);
  const roles = Object.entries(ROLES).flatMap(([name, role]) => (role ? [[role, [name]] as const] : []));
  await setRoles(server, "projects/acme", Object.fromEntries(roles));
  await setRoles(server, "projects/globex", { "roles/owner": ["stranger"] });
  methods = server.app.registry.methods.filter(({ implemented }) => implemented);
  internal = methods.filter(({ revision }) => revision === "v1beta");
});
after(() => server[Symbol.asyncDispose]());

type Outcome = "allowed" | "401" | "403";

/** What the table of rules and roles says of a call. */
function expected(caller: string, rule: MethodRule, request: Message): Outcome {
  const role = createRoles().find(ROLES[caller] ?? "");
  const grants = (permission: string) => role?.grants(permission) ?? false;
  if (isAllowed(rule, request, caller, grants)) return "allowed";
  return caller === "nobody" ? "401" : "403";
}

function isAllowed(
  { kind, permissions, asksOf }: MethodRule,
  request: Message,
  caller: string,
  grants: (permission: string) => boolean,
): boolean {
  switch (kind) {
    case "known":
      return caller !== "nobody";
    case "resource":
      return asksOf(request).every(({ permission }) => grants(permission));
    case "list":
      return asksOf(request).some(({ permission }) => grants(permission));
    case "operation":
      return grants(permissions[0] ?? "");
    case "anybody":
      return permissions.length === 0 || grants(permissions[0] ?? "");
    // What the sample names does not exist, so nobody owns it.
    default:
      return grants(permissions[0] ?? "");
  }
}

interface Case {
  readonly method: RegisteredMethod;
  readonly sample: Sample;
  readonly caller: string;
  readonly expected: Outcome;
}

function casesOf(chosen: readonly RegisteredMethod[]): readonly Case[] {
  return chosen.flatMap((method) => {
    const rule = server.app.access.ruleOf(method.internalMethod);
    assert.ok(rule, `${method.path} has no permission`);
    return samplesOf(method.method, method.internalMethod).flatMap((sample) => {
      const request = fromJson(method.internalMethod.input, sample.json);
      return CALLERS.map((caller) => ({ method, sample, caller, expected: expected(caller, rule, request) }));
    });
  });
}

const CALLS_AT_ONCE = 20;

const labelOf = ({ caller, method, sample }: Case) => `${caller} ${method.path} ${JSON.stringify(sample.json)}`;

/** Runs all cases and compares them at once: a failure lists every call that went another way. */
async function compare(cases: readonly Case[], call: (one: Case) => Promise<Outcome>): Promise<void> {
  const wrong: string[] = [];
  const waiting = cases.values();
  const work = async () => {
    for (const one of waiting) {
      const outcome = await call(one);
      if (outcome !== one.expected) wrong.push(`${labelOf(one)}: ${outcome}, not ${one.expected}`);
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  assert.deepEqual(wrong, []);
  assert.ok(cases.length > 0);
}

/** Calls by the HTTP rules, with the fields that the path does not have as the body. */
async function callRest({ method, sample, caller }: Case): Promise<Outcome> {
  const { httpMethod = "", path = "" } = sample.rest ?? {};
  const hasBody = httpMethod === "POST" || httpMethod === "PATCH";
  const revision = method.method.parent.typeName.includes(".ces.") ? method.revision : "v1beta";
  const response = await fetch(`${server.address}/${revision}/${path}`, {
    method: httpMethod,
    headers: { "content-type": "application/json", ...authorization(caller) },
    ...(hasBody && { body: JSON.stringify(MORE[method.method.name] ?? {}) }),
  });
  const text = await response.text();
  if (response.status !== 401 && response.status !== 403) return "allowed";
  assert.match(text, response.status === 401 ? /CREDENTIALS_MISSING/ : /"IAM_PERMISSION_DENIED".*"permission"/s, path);
  return response.status === 401 ? "401" : "403";
}

const authorization = (caller: string): Record<string, string> =>
  caller === "nobody" ? {} : { authorization: `Bearer ${tokenOf(caller)}` };

/** Calls the method's MCP tool. */
async function callTool({ method, sample, caller }: Case): Promise<Outcome> {
  const { path, name } = toolOf(method);
  const args =
    TOOL_ARGUMENTS[name] ?? (name.startsWith("update_") ? { ...sample.json, updateMask: "name" } : sample.json);
  const reply = await ask(
    server.address,
    "tools/call",
    { name, arguments: args },
    { path, headers: authorization(caller) },
  );
  if (reply.status === 401) return "401";
  assert.equal(reply.error, undefined, `${name}: ${reply.error?.message}`);
  return /PERMISSION_DENIED/.test(JSON.stringify(reply.result)) ? "403" : "allowed";
}

/** Endpoint and name of a method's tool. */
function toolOf({ method }: RegisteredMethod): { readonly path: string; readonly name: string } {
  const path = method.parent.typeName.includes(".geminidataanalytics.") ? "/mcp/analytics" : "/mcp";
  return { path, name: TOOL_NAMES[method.name] ?? snakeCase(method.name.replace(/Sync$/, "")) };
}

const TOOL_NAMES: Readonly<Record<string, string>> = {
  ExportApp: "start_export_app",
  ImportApp: "start_import_app",
  GenerateEvaluation: "generate_evaluation_from_conversation",
};
const TOOL_ARGUMENTS: Readonly<Record<string, JsonObject>> = {
  start_export_app: { projectId: "acme", locationId: "us", appId: "nothing-here" },
  start_import_app: { projectId: "acme", locationId: "us", content: "eA==" },
};

const snakeCase = (name: string) => name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** The close frame of a conversation that sends its configuration. */
async function callWebSocket({ method, sample, caller }: Case): Promise<Outcome> {
  const token = caller === "nobody" ? "" : `?access_token=${tokenOf(caller)}`;
  const client = await openWebSocket(server.address, `/ws${method.path}/locations/us${token}`);
  client.send(sample.json);
  const [, status] = /^generic::(\w+):/.exec((await client.closed).reason) ?? [];
  if (status === "unauthenticated") return "401";
  return status === "permission_denied" ? "403" : "allowed";
}

const OUTCOMES: ReadonlyMap<Code, Outcome> = new Map([
  [Code.Unauthenticated, "401"],
  [Code.PermissionDenied, "403"],
]);

async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    await call();
    return "allowed";
  } catch (error) {
    return OUTCOMES.get(ConnectError.from(error).code) ?? "allowed";
  }
}

/** Calls by the generated descriptors of the method's own revision. */
function callOver(transport: Transport) {
  return ({ method: { method }, sample, caller: name }: Case): Promise<Outcome> => {
    const headers = new Headers(name === "nobody" ? {} : { authorization: `Bearer ${tokenOf(name)}` });
    const request = fromJson(method.input, sample.json, { ignoreUnknownFields: true });
    return outcomeOf(() =>
      method.methodKind === "unary"
        ? transport.unary(method as never, undefined, undefined, headers, request as never)
        : drain(transport, method, headers, request),
    );
  };
}

async function drain(transport: Transport, method: DescMethod, headers: Headers, request: Message): Promise<void> {
  const requests = (async function* () {
    yield request;
  })();
  const { message } = await transport.stream(method as never, undefined, undefined, headers, requests as never);
  for await (const _ of message) if (isEndless(method)) return;
}

/** Who watches the health of a server does so for as long as it runs. */
function isEndless({ name, parent }: DescMethod): boolean {
  return parent === Health && name === "Watch";
}

describe("every method, for every kind of caller", () => {
  it("is allowed over gRPC exactly where the table says", async () => {
    await compare(casesOf(internal), callOver(createGrpcTransport({ baseUrl: server.address })));
  });

  it("is allowed over Connect exactly where the table says", async () => {
    await compare(casesOf(internal), callOver(createConnectTransport({ baseUrl: server.address, httpVersion: "2" })));
  });

  it("is allowed over REST exactly where the table says", async () => {
    await compare(
      casesOf(methods).filter(({ sample }) => sample.rest),
      callRest,
    );
  });

  it("is allowed over WebSocket exactly where the table says", async () => {
    // Reflection answers for as long as it is asked, and closes no socket.
    const conversations = methods.filter(({ method }) => method.name === "BidiRunSession");
    await compare(casesOf(conversations), callWebSocket);
  });

  it("is a tool of MCP that may be called exactly where the table says", async () => {
    const offered = new Set(
      (await Promise.all(["/mcp", "/mcp/analytics"].map((path) => toolsOf("root", path)))).flat(),
    );
    const withTool = internal.filter((method) => offered.has(toolOf(method).path + toolOf(method).name));
    assert.ok(withTool.length > 90, `${withTool.length} tools`);
    await compare(casesOf(withTool), callTool);
  });

  it("is a listed tool of MCP for those who may call it somewhere", async () => {
    assert.deepEqual(await toolsOf("client", "/mcp"), ["/mcprun_session"]);
    // Whoever has the token of a shared answer may open it.
    assert.deepEqual(await toolsOf("client", "/mcp/analytics"), ["/mcp/analyticsopen_shared_answer"]);
    const [viewer, admin, stranger] = await Promise.all(
      ["viewer", "admin", "stranger"].map((name) => toolsOf(name, "/mcp")),
    );
    assert.ok(viewer?.includes("/mcpget_app") && !viewer.includes("/mcpupdate_app"));
    assert.deepEqual(admin, await toolsOf("root", "/mcp"));
    assert.deepEqual(stranger, admin, "whoever owns a project may use every tool in it");
    const nobody = await ask(server.address, "tools/list", {}, {});
    assert.equal(nobody.status, 401);
  });
});

/** The addresses and names of the tools that are listed for a caller. */
async function toolsOf(name: string, path: string): Promise<readonly string[]> {
  const { result } = await ask(server.address, "tools/list", {}, { path, headers: authorization(name) });
  return (result.tools ?? []).map((tool) => path + tool.name);
}
