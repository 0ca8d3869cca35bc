import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { ApiAuthenticationSchema, ApiKeyConfig_RequestLocation } from "@frontdesk/protos/ces/auth";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import { type A2aAgent, startA2aAgent } from "../__fixtures__/a2a-agent.ts";
import { serveLoopback } from "../__fixtures__/loopback.ts";
import { callContext, type OpenTools, openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";

let agent: A2aAgent;
let tools: OpenTools;
before(async () => {
  agent = await startA2aAgent();
  tools = openTools();
});
after(async () => {
  await tools[Symbol.asyncDispose]();
  await agent[Symbol.asyncDispose]();
});

interface Interface {
  readonly path?: string;
  readonly protocolBinding?: string;
  readonly protocolVersion?: string;
}

function toolOf(
  origin: string,
  { path = "/rpc", protocolBinding = "JSONRPC", protocolVersion = "1.0" }: Interface = {},
  nanos = 0,
): Tool {
  return create(ToolSchema, {
    name: `${TEST_APP}/tools/travel`,
    displayName: "travel",
    ...(nanos && { timeout: { nanos } }),
    toolType: {
      case: "remoteAgentTool",
      value: {
        name: "travel",
        description: "Asks the travel desk.",
        statefulAgent: true,
        agentCard: {
          name: "Travel desk",
          description: "Books journeys.",
          version: "1",
          supportedInterfaces: [{ url: `${origin}${path}`, protocolBinding, protocolVersion }],
          skills: [{ id: "book", name: "Booking", description: "books seats", tags: ["seat"] }],
        },
      },
    },
  });
}

function withoutIds({ contextId, taskId: _taskId, ...response }: JsonObject): JsonObject {
  assert.equal(typeof contextId, "string");
  return response;
}

/** The error that the model gets for a response of the agent's server. */
async function errorFrom(answer: Parameters<typeof serveLoopback>[0]): Promise<string> {
  await using server = await serveLoopback(answer);
  return String((await respond(tools, toolOf(server.origin), { request: "hello" })).error);
}

describe("A remote agent tool", () => {
  it("is declared with the agent's skills", async () => {
    const { name, description, parameters } = await tools.declare(toolOf(agent.origin));
    assert.deepEqual(
      { name, description, required: parameters.required },
      { name: "travel", description: "Asks the travel desk.\nBooking: books seats", required: ["request"] },
    );
  });

  const interfaces: readonly (readonly [string, Interface])[] = [
    ["JSON-RPC, A2A 1.0", {}],
    ["JSON-RPC, A2A 0.3", { protocolVersion: "0.3" }],
    ["HTTP+JSON", { path: "/rest", protocolBinding: "HTTP+JSON" }],
  ];
  for (const [label, where] of interfaces) {
    it(`returns a message over ${label}`, async () => {
      const response = await respond(tools, toolOf(agent.origin, where), { request: "hello" });
      assert.deepEqual(withoutIds(response), { response: "You said: hello" });
    });

    it(`returns the artifacts of a task, with values and files, over ${label}`, async () => {
      const response = await respond(tools, toolOf(agent.origin, where), { request: "book a seat" });
      assert.deepEqual(withoutIds(response), {
        response: "Booked seat 12.",
        data: [{ seat: 12 }],
        files: [{ filename: "ticket.pdf", mediaType: "application/pdf", url: "https://travel.example/ticket.pdf" }],
      });
    });
  }

  it("does the same with an agent without streaming, and with one without a public card", async () => {
    for (const options of [{ streaming: false }, { card: false }]) {
      await using other = await startA2aAgent(options);
      const response = await respond(tools, toolOf(other.origin), { request: "book a seat" });
      assert.deepEqual(withoutIds(response).data, [{ seat: 12 }], JSON.stringify(options));
    }
  });

  const TICKET = { filename: "ticket.pdf", mediaType: "application/pdf", url: "https://travel.example/ticket.pdf" };

  it("returns what the status of a task says besides its artifacts (A2A-21)", async () => {
    const tool = toolOf(agent.origin);
    assert.deepEqual(withoutIds(await respond(tools, tool, { request: "confirm" })), {
      response: "Have a good journey.",
      data: [{ seat: 12 }],
      files: [TICKET],
    });
    assert.deepEqual(withoutIds(await respond(tools, tool, { request: "options" })), {
      response: "Seats 12 and 14 are free.\nWhich one?",
      state: "input-required",
    });
  });

  it("returns what came of a task that failed, beside the error (A2A-22)", async () => {
    assert.deepEqual(withoutIds(await respond(tools, toolOf(agent.origin), { request: "partly" })), {
      status: "error",
      error: "Calling remote agent 'travel' failed: the task failed: No seats back.",
      response: "Booked the way out.",
      data: [{ seat: 12 }],
      files: [TICKET],
    });
  });

  it("returns the agent's request for input, and sends the next message to the same task", async () => {
    const tool = toolOf(agent.origin);
    const asked = await respond(tools, tool, { request: "ask" });
    assert.deepEqual(withoutIds(asked), { response: "Which day?", state: "input-required" });
    const context = callContext({}, { lastResponse: (name) => (name === tool.name ? asked : undefined) });
    await respond(tools, tool, { request: "book it on Monday" }, context);
    const last = agent.got.at(-1);
    assert.deepEqual([last?.contextId, last?.taskId], [asked.contextId, asked.taskId]);
  });

  it("keeps the context over the calls of a session, also after a failure, but starts new tasks", async () => {
    const tool = toolOf(agent.origin);
    const failed = await respond(tools, tool, { request: "fail" });
    assert.deepEqual(withoutIds(failed), {
      status: "error",
      error: "Calling remote agent 'travel' failed: the task failed: No seats left.",
    });
    await respond(tools, tool, { request: "again" }, callContext({}, { lastResponse: () => failed }));
    const [first, second] = agent.got.slice(-2);
    assert.deepEqual([first?.contextId, second?.contextId], [failed.contextId, failed.contextId]);
    assert.notEqual(second?.taskId, first?.taskId);
  });

  it("begins a new context with each call unless it is stateful", async () => {
    const tool = toolOf(agent.origin);
    if (tool.toolType.case === "remoteAgentTool") tool.toolType.value.statefulAgent = false;
    const first = await respond(tools, tool, { request: "hello" });
    const second = await respond(tools, tool, { request: "again" }, callContext({}, { lastResponse: () => first }));
    assert.notEqual(second.contextId, first.contextId);
  });

  it("sends variables as metadata, and its own credentials", async () => {
    const tool = toolOf(agent.origin);
    if (tool.toolType.case === "remoteAgentTool") {
      tool.toolType.value.inputVariableMapping = { traveller: "name" };
      tool.toolType.value.apiAuthentication = create(ApiAuthenticationSchema, {
        authConfig: { case: "bearerTokenConfig", value: { token: "$context.variables.token" } },
      });
    }
    await respond(tools, tool, { request: "hello" }, callContext({ name: "Ana", token: "t-1" }));
    assert.deepEqual(agent.got.at(-1)?.metadata, { traveller: "Ana" });
    assert.equal(agent.headers.at(-1)?.authorization, "Bearer t-1");
  });

  it("stops after the tool's timeout, and cancels the task", async () => {
    const before = agent.canceled.length;
    assert.deepEqual(await respond(tools, toolOf(agent.origin, {}, 300_000_000), { request: "wait" }), {
      status: "error",
      error: "Calling remote agent 'travel' failed: it did not answer within 300 ms",
    });
    while (agent.canceled.length === before) await sleep(10);
    assert.equal(agent.canceled.length, before + 1);
  });

  it("reports an agent that is unreachable, forbidden, or speaks gRPC or an unknown version only", async () => {
    const failures = [
      [toolOf("http://127.0.0.1:1"), /^Calling remote agent 'travel' failed: .*ECONNREFUSED/],
      [toolOf("http://10.0.0.1"), /failed: Requests to '10.0.0.1' are refused: 10.0.0.1 is a private address/],
      [
        toolOf(agent.origin, { protocolBinding: "GRPC" }),
        /failed: its card offers GRPC 1.0 at .* supports JSONRPC and HTTP\+JSON/,
      ],
      [
        toolOf(agent.origin, { protocolVersion: "9.0" }),
        /failed: its card offers JSONRPC 9.0 at .* supports JSONRPC and HTTP\+JSON, 1.0 or 0.3/,
      ],
      [toolOf(agent.origin, { path: "/nowhere" }), /^Calling remote agent 'travel' failed: /],
    ] as const;
    for (const [tool, message] of failures) {
      assert.match(String((await respond(tools, tool, { request: "hello" })).error), message);
    }
    assert.equal((await respond(tools, toolOf(agent.origin), {})).error, "Missing parameter: request");
  });

  it("sends the operator's credentials for its origin and app, and otherwise none", async () => {
    const authentication = create(ApiAuthenticationSchema, {
      authConfig: {
        case: "apiKeyConfig",
        value: {
          keyName: "x-key",
          apiKeySecretVersion: "projects/p/secrets/travel/versions/1",
          requestLocation: ApiKeyConfig_RequestLocation.HEADER,
        },
      },
    });
    const keyOf = async (apps: readonly string[]) => {
      const remoteAgentCredentials = [{ origin: agent.origin, authentication, apps }];
      await using trusted = openTools({
        remoteAgentCredentials,
        secrets: { "projects/p/secrets/travel/versions/1": "k" },
      });
      await respond(trusted, toolOf(agent.origin), { request: "hello" });
      return agent.headers.at(-1)?.["x-key"];
    };
    assert.equal(await keyOf([TEST_APP]), "k");
    assert.equal(await keyOf([`${TEST_APP.slice(0, -2)}*`]), "k");
    assert.equal(await keyOf([`${TEST_APP}2`]), undefined);
  });

  it("reports a server that is not an agent, redirects or sends too much", async () => {
    const page = await errorFrom((_, response) => void response.writeHead(200).end("<!doctype html>"));
    assert.match(page, /^Calling remote agent 'travel' failed: /);
    const away = { location: "http://169.254.169.254/" };
    assert.match(
      await errorFrom((_, response) => void response.writeHead(307, away).end()),
      /failed: Requests to '169.254.169.254' are refused: 169.254.169.254 is a link-local address/,
    );
    const flood = "x".repeat(11 * 1024 * 1024);
    assert.match(await errorFrom((_, response) => void response.end(flood)), /larger than 10485760 bytes/);
  });

  it("takes the first interface of a version that it speaks", async () => {
    const tool = toolOf(agent.origin);
    if (tool.toolType.case !== "remoteAgentTool") throw new Error("no agent");
    const { agentCard } = tool.toolType.value;
    const [served] = agentCard?.supportedInterfaces ?? [];
    if (!agentCard || !served) throw new Error("no interface");
    agentCard.supportedInterfaces = [{ ...served, url: `${agent.origin}/next`, protocolVersion: "2.0" }, served];
    assert.equal((await respond(tools, tool, { request: "hello" })).error, undefined);
  });

  it("reports a card without a supported interface", async () => {
    assert.deepEqual(await tools.problems(toolOf(agent.origin, { protocolVersion: "0.2" })), [
      "agent_card.supported_interfaces[0].protocol_version: '0.2' is not 1.0 or 0.3",
    ]);
    assert.deepEqual(await tools.problems(toolOf(agent.origin, { protocolBinding: "GRPC" })), [
      "agent_card.supported_interfaces: none is JSONRPC or HTTP+JSON at an absolute http or https URL",
    ]);
    assert.deepEqual(await tools.problems(toolOf("")), [
      "agent_card.supported_interfaces[0].url: '/rpc' is not an absolute http or https URL",
    ]);
    assert.deepEqual(await tools.problems(toolOf(agent.origin)), []);
  });
});
