import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type Message } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { ConversationSchema } from "@frontdesk/protos/ces/conversation";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { defineService, type ServiceImplementation } from "#rpc";
import { notFound } from "#status";
import { rawExchange, startWireServer, type WireServer, type WireServerOptions } from "./wire-server.ts";

const NAME = "projects/p/locations/us/apps/a/conversations/c";
const conversation = create(ConversationSchema, {
  name: NAME,
  turnCount: 1,
  turns: [{ messages: [{ role: "user" }] }],
});
const options: WireServerOptions = { agents: { getConversation: async ({ name }) => ({ ...conversation, name }) } };

interface Answer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: Record<string, unknown> & {
    readonly content?: readonly { type: string; text: string }[];
    readonly tools?: readonly {
      name: string;
      description: string;
      inputSchema: object;
      annotations: object;
      _meta?: object;
    }[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

async function send(
  server: WireServer,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string | null; answer: Answer }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json", ...headers },
  });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    answer: (await response.json()) as Answer,
  };
}

const call = (name: unknown, args?: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
const asked = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, params });

describe("the documented curl line", () => {
  it("works unchanged, with any regional host and without a handshake", async () => {
    await using server = await startWireServer(options);
    const body = JSON.stringify({
      method: "tools/call",
      params: { name: "get_conversation", arguments: { name: NAME } },
      jsonrpc: "2.0",
      id: 1,
    });
    const answer = await rawExchange(
      server.port,
      `POST /mcp HTTP/1.1\r\nHost: ces.us.rep.googleapis.com\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    const expected = { name: NAME, turns: [{ messages: [{ role: "user" }] }], turnCount: 1 };
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json/);
    assert.deepEqual(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))), {
      jsonrpc: "2.0",
      id: 1,
      result: { content: [{ type: "text", text: JSON.stringify(expected) }], structuredContent: expected },
    });
  });

  it("with its placeholder comment gets an error that JSON has no comments", async () => {
    await using server = await startWireServer(options);
    const { status, answer } = await send(
      server,
      '{\n  "method": "tools/call",\n  "params": {\n    // provide these details\n  }\n}',
    );
    assert.deepEqual(
      [status, answer],
      [
        400,
        {
          jsonrpc: "2.0",
          id: null,
          error: {
            code: -32700,
            message: "Parse error: JSON has no comments, and there is one at line 4, column 5. Remove it.",
          },
        },
      ],
    );
  });
});

describe("tools/call", () => {
  it("returns the same message as REST", async () => {
    await using server = await startWireServer(options);
    const { answer } = await send(server, call("get_conversation", { name: NAME }));
    const rest = await (await fetch(`${server.url}/v1beta/${NAME}`)).text();
    assert.equal(answer.result?.content?.[0]?.text, rest);
  });

  it("keeps the id, zero or a string", async () => {
    await using server = await startWireServer(options);
    for (const id of [0, "abc", 7])
      assert.equal((await send(server, call("get_conversation", { name: NAME }, id))).answer.id, id);
  });

  it("responds without an Accept header, with any, and with a protocol version", async () => {
    await using server = await startWireServer(options);
    for (const [name, value] of [
      ["accept", "*/*"],
      ["accept", "text/plain"],
      ["mcp-protocol-version", "2025-06-18"],
    ] as const) {
      const { status, type } = await send(server, call("get_conversation", { name: NAME }), { [name]: value });
      assert.deepEqual([status, type], [200, "application/json; charset=UTF-8"]);
    }
  });

  it("shows a status error as a failed result with the error body of REST", async () => {
    await using server = await startWireServer({
      agents: { getConversation: async ({ name }) => Promise.reject(notFound(name)) },
    });
    const { status, answer } = await send(server, call("get_conversation", { name: NAME }));
    const body = await (await fetch(`${server.url}/v1beta/${NAME}`)).json();
    assert.deepEqual(
      [status, answer.result],
      [
        200,
        {
          isError: true,
          content: [{ type: "text", text: `Resource '${NAME}' was not found.\n${JSON.stringify(body)}` }],
          structuredContent: body as object,
        },
      ],
    );
  });

  it("shows invalid arguments as a failed result that suggests names", async () => {
    await using server = await startWireServer(options);
    const text = async (args: unknown) => {
      const { answer } = await send(server, call("get_conversation", args));
      assert.equal(answer.result?.isError, true);
      return answer.result?.content?.[0]?.text.split("\n")[0];
    };
    assert.equal(await text({ nane: NAME }), "nane: There is no such argument; did you mean 'name'?");
    assert.equal(
      await text({ name: NAME, conversationView: 1 }),
      "conversationView: There is no such argument; the arguments are name, source.",
    );
    assert.equal(await text({ name: 5 }), "name: Invalid value at 'name' (TYPE_STRING), 5");
    assert.match(
      (await text({ name: NAME, source: "CHAT" })) ?? "",
      /^source: Invalid value at 'source' \(.*\), "CHAT"; must be one of LIVE, SIMULATOR, EVAL/,
      "what a model may send instead (MCP-16)",
    );
    assert.equal(await text({}), "name: Required field is not set.");
    assert.equal(await text([1]), "arguments: must be a JSON object");
  });

  it("accepts arguments in either spelling and enums by number", async () => {
    const seen: unknown[] = [];
    await using server = await startWireServer({
      agents: {
        listConversations: async ({ pageSize, sources }) => {
          seen.push(pageSize, sources);
          return {};
        },
      },
    });
    const { answer } = await send(
      server,
      call("list_conversations", { parent: "p", page_size: 5, sources: [1, "SIMULATOR"] }),
    );
    assert.deepEqual([answer.result?.structuredContent, seen], [{}, [5, [1, 2]]]);
  });

  it("rejects unknown tools with an error of the protocol", async () => {
    await using server = await startWireServer(options);
    for (const name of ["get_nothing", undefined, 5, "constructor"]) {
      const { status, answer } = await send(server, call(name, {}));
      assert.deepEqual([status, answer.error?.code], [200, -32602]);
    }
  });

  it("calls get_operation", async () => {
    await using server = await startWireServer({
      operations: { getOperation: async ({ name }) => ({ name, done: true }) },
    });
    assert.deepEqual((await send(server, call("get_operation", { name: "o" }))).answer.result?.structuredContent, {
      name: "o",
      done: true,
    });
  });
});

describe("tools/list", () => {
  /** Every method of a service, to see what becomes a tool. */
  const all = (service: typeof AgentService | typeof EvaluationService) =>
    Object.fromEntries(service.methods.map((method) => [method.localName, async () => ({}) as Message]));
  const everything = (): Promise<WireServer> =>
    startWireServer({
      agents: all(AgentService) as unknown as ServiceImplementation<typeof AgentService>,
      operations: { getOperation: async () => ({}) },
      more: [
        defineService(
          EvaluationService,
          [],
          all(EvaluationService) as unknown as ServiceImplementation<typeof EvaluationService>,
        ),
      ],
    });

  /** The table of the hosted server: sixty tools, in its order. */
  const HOSTED = [
    ...["app", "agent", "tool", "guardrail", "deployment", "toolset"].flatMap((each) => [
      `list_${each}s`,
      ...["get", "create", "update", "delete"].map((verb) => `${verb}_${each}`),
    ]),
    ..."list_app_versions get_app_version create_app_version delete_app_version restore_app_version".split(" "),
    ..."list_changelogs get_changelog start_export_app start_import_app run_evaluation create_evaluation".split(" "),
    ..."get_evaluation list_evaluations update_evaluation delete_evaluation".split(" "),
    ..."generate_evaluation_from_conversation create_evaluation_dataset get_evaluation_dataset".split(" "),
    ..."list_evaluation_datasets update_evaluation_dataset delete_evaluation_dataset get_evaluation_result".split(" "),
    ..."list_evaluation_results delete_evaluation_result get_evaluation_run list_evaluation_runs".split(" "),
    ..."delete_evaluation_run get_conversation list_conversations get_operation".split(" "),
  ];

  it("lists the sixty tools of the hosted server in its order, and then those of this one, marked", async () => {
    await using server = await everything();
    const { answer } = await send(server, asked("tools/list"));
    const tools = answer.result?.tools ?? [];
    assert.equal(HOSTED.length, 60);
    assert.deepEqual(
      tools.slice(0, 60).map(({ name, _meta }) => [name, _meta]),
      HOSTED.map((name) => [name, undefined]),
    );
    assert.ok(tools.length > 60);
    for (const { _meta } of tools.slice(60)) assert.deepEqual(_meta, { "frontdesk/extension": true });
  });

  it("describes get_conversation by its request, its response, and when to use it", async () => {
    await using server = await everything();
    const { answer } = await send(server, asked("tools/list"));
    const found = answer.result?.tools?.find(({ name }) => name === "get_conversation");
    const { outputSchema, ...rest } = found as unknown as Record<string, unknown>;
    assert.deepEqual(rest, {
      name: "get_conversation",
      description:
        "Gets one conversation. Use it when you know the name; the result can be long: fields, e.g. name,turns.messages, selects parts of it. Example name: projects/my-project/locations/us/apps/my-app/conversations/my-conversation",
      inputSchema: {
        type: "object",
        properties: {
          name: {
            type: "string",
            description:
              "Resource name of the conversation: projects/{project}/locations/{location}/apps/{app}/conversations/{conversation}",
          },
          source: { type: "string", enum: ["LIVE", "SIMULATOR", "EVAL", "AGENT_TOOL"], description: "Deprecated." },
        },
        required: ["name"],
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    assert.equal((outputSchema as { title: string }).title, "Conversation");
  });

  it("omits what this server does not implement", async () => {
    await using server = await startWireServer(options);
    assert.deepEqual(
      (await send(server, asked("tools/list"))).answer.result?.tools?.map(({ name }) => name),
      ["get_conversation"],
    );
  });
});

describe("the MCP transport", () => {
  it("initializes with the client's revision, or with its newest, and returns a session id that requests need not send", async () => {
    await using server = await startWireServer(options);
    for (const [wanted, spoken] of [
      ["2024-11-05", "2024-11-05"],
      ["2025-03-26", "2025-03-26"],
      ["2025-11-25", "2025-11-25"],
      ["2024-01-01", "2025-11-25"],
    ]) {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(
          asked("initialize", { protocolVersion: wanted, capabilities: {}, clientInfo: { name: "t", version: "1" } }),
        ),
      });
      assert.match(response.headers.get("mcp-session-id") ?? "", /^[\da-f-]{36}$/);
      const { instructions, ...result } = ((await response.json()) as Answer).result ?? {};
      assert.match(String(instructions), /Start with list_apps/);
      assert.deepEqual(result, {
        protocolVersion: spoken,
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: "frontdesk", title: "Frontdesk", version: "1.2.3" },
      });
    }
  });

  it("answers ping, and responds 202 without a body to notifications and responses", async () => {
    await using server = await startWireServer(options);
    assert.deepEqual((await send(server, asked("ping"))).answer, { jsonrpc: "2.0", id: 1, result: {} });
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 3, result: {} },
    ]) {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message),
      });
      assert.deepEqual([response.status, await response.text()], [202, ""]);
    }
  });

  it("answers every request of a batch, and no other messages", async () => {
    await using server = await startWireServer(options);
    const { answer } = await send(server, [
      asked("ping"),
      { jsonrpc: "2.0", method: "notifications/cancelled" },
      { ...asked("nope"), id: 2 },
      5,
    ]);
    assert.deepEqual(answer, [
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "Method not found: nope" } },
      {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: "Invalid request: A message must be a JSON object." },
      },
    ]);
    assert.equal((await send(server, [])).answer.error?.code, -32600);
  });

  it("rejects invalid messages", async () => {
    await using server = await startWireServer(options);
    for (const message of [
      { id: 1, method: "ping" },
      { jsonrpc: "2.0", id: 1 },
      { jsonrpc: "2.0", id: null, method: "ping" },
      { jsonrpc: "2.0", id: 1, method: "ping", params: [1] },
      "text",
    ]) {
      const { status, answer } = await send(server, JSON.stringify(message));
      assert.deepEqual([status, answer.error?.code], [400, -32600]);
    }
  });

  it("accepts only POST and JSON", async () => {
    await using server = await startWireServer(options);
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(`${server.url}/mcp`, { method });
      assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST"]);
    }
    assert.equal((await send(server, asked("ping"), { "content-type": "text/plain" })).status, 415);
  });

  it("lists the supported revisions when a header names another", async () => {
    await using server = await startWireServer(options);
    const { status, answer } = await send(server, asked("ping"), { "mcp-protocol-version": "2099-01-01" });
    assert.deepEqual(
      [status, answer.error],
      [
        400,
        {
          code: -32000,
          message:
            "Unsupported protocol version: 2099-01-01 (supported versions: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05)",
          data: {
            supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
            requested: "2099-01-01",
          },
        },
      ],
    );
  });

  it("rejects a body above the limit", async () => {
    await using server = await startWireServer({ ...options, requests: { maxBodyBytes: 100 } });
    const { status, answer } = await send(server, call("get_conversation", { name: "x".repeat(200) }));
    assert.deepEqual([status, answer.error?.message], [413, "Request payload size exceeds the limit: 100 bytes."]);
  });
});
