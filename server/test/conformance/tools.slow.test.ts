import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { fromJson, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { SchemaSchema, Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import { MockConfig_UnmatchedToolCallBehavior as Unmatched } from "@frontdesk/protos/ces/session_service";
import type { ToolSchema } from "@frontdesk/protos/ces/tool";
import { type ExecuteToolRequestSchema, ToolService } from "@frontdesk/protos/ces/tool_service";
import { BadRequestSchema, ErrorInfoSchema, ResourceInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { isJsonObject, type JsonObject } from "#base";
import { startTestServer, type TestServer } from "#testing";
import { verifies, type Wire } from "./verifies.ts";

const PARENT = "projects/test/locations/us";

const BOOK = `
from typing import Literal, Optional

def book(seats: int, row: Literal["A", "B"] = "A", note: Optional[str] = "") -> dict[str, int]:
    """Books seats.

    Args:
        seats: how many
    """
    booked = get_variable("booked") + seats
    set_variable("booked", booked)
    return {"booked": booked}
`;

const ASK = `
def ask(order: str = "A-1") -> dict:
    """Asks the stock."""
    answer = tools.stock({"order": order, "deep": {"level": 1}})
    return {"status": answer.status_code, "stock": answer.json()}
`;

const CONTEXT = `
def whoami() -> dict:
    """Tells the context."""
    last = context.events[-1].content.parts[0].text
    return {"call": context.function_call_id, "agent": context.agent_name, "plan": context.state["plan"], "last": last}
`;

type ToolInit = MessageInitShape<typeof ToolSchema>;

const python = (name: string, pythonCode: string): ToolInit => ({
  toolType: { case: "pythonFunction", value: { name, pythonCode } },
});

const TOOLS: Readonly<Record<string, ToolInit>> = {
  book: python("book", BOOK),
  ask: python("ask", ASK),
  stock: python("stock", `def stock(order: str, deep: dict) -> dict:\n    return {"order": order, "real": True}\n`),
  whoami: python("whoami", CONTEXT),
  broken: python("broken", "def broken(a: str) -> dict:\n    return {\n"),
  raises: python("raises", `def raises() -> dict:\n    return {}["seat"]\n`),
  sleeps: {
    toolType: {
      case: "pythonFunction",
      value: { name: "sleeps", pythonCode: `import time\ndef sleeps() -> dict:\n    time.sleep(9)\n` },
    },
    timeout: { seconds: 0n, nanos: 200_000_000 },
  },
  pick: {
    toolType: {
      case: "clientFunction",
      value: {
        name: "pick",
        description: "Lets the user pick.",
        parameters: { type: Type.OBJECT, properties: { seat: { type: Type.INTEGER, enum: ["1", "2"] } } },
        response: { type: Type.OBJECT, properties: { seat: { type: Type.INTEGER, nullable: true } } },
      },
    },
  },
};

let server: TestServer;
let app = "";
before(async () => {
  server = await startTestServer();
  app = await newApp();
});
after(() => server[Symbol.asyncDispose]());
const address = () => server.address;

/** All tools in one app: they change nothing that outlives a call. */
async function newApp(): Promise<string> {
  const client = createClient(AgentService, createConnectTransport({ baseUrl: server.address, httpVersion: "1.1" }));
  const appId = `app-${randomUUID().slice(0, 8)}`;
  const name = `${PARENT}/apps/${appId}`;
  const variableDeclarations = [
    { name: "booked", description: "Seats so far.", schema: { type: Type.INTEGER, default: fromJson(ValueSchema, 2) } },
  ];
  await client.createApp({ parent: PARENT, appId, app: { displayName: appId, variableDeclarations } });
  for (const [id, tool] of Object.entries(TOOLS)) await client.createTool({ parent: name, toolId: `${id}-1`, tool });
  return name;
}

const toolIdentifier = (id: string) => ({ case: "tool" as const, value: `${app}/tools/${id}` });

const execute = (wire: Wire, id: string, more: MessageInitShape<typeof ExecuteToolRequestSchema> = {}) =>
  wire.client(ToolService).executeTool({ ...more, parent: app, toolIdentifier: toolIdentifier(id) });

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  return assert.fail("the call did not fail");
}

const fieldsOf = (error: ConnectError) =>
  error.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations.map((violation) => violation.field));

describe("ExecuteTool", () => {
  verifies("execute-tool", address, async (wire) => {
    const usual = await execute(wire, "book-1", { args: { seats: 2 } });
    assert.deepEqual(
      [usual.toolIdentifier, usual.response, usual.variables],
      [toolIdentifier("book-1"), { result: { booked: 4 } }, { booked: 4 }],
    );
    const given = await execute(wire, "book-1", {
      args: { seats: 1 },
      toolExecutionContext: { case: "variables", value: { booked: 10, extra: "x" } },
    });
    assert.deepEqual([given.response, given.variables], [{ result: { booked: 11 } }, { booked: 11, extra: "x" }]);
  });

  verifies("execute-tool-context", address, async (wire) => {
    const events = [{ author: "user", content: { role: "user", parts: [{ text: "Hello." }] } }];
    const { response, variables } = await execute(wire, "whoami-1", {
      toolExecutionContext: {
        case: "context",
        value: { state: { plan: "gold" }, events, function_call_id: "call-7", agentName: "Front" },
      },
    });
    assert.deepEqual(
      [response, variables],
      [{ result: { call: "call-7", agent: "Front", plan: "gold", last: "Hello." } }, { booked: 2, plan: "gold" }],
    );
  });

  verifies("execute-tool-bad-context", address, async (wire) => {
    const value = { state: "gold", events: [{}, 5], function_call_id: 7 };
    const error = await errorOf(execute(wire, "whoami-1", { toolExecutionContext: { case: "context", value } }));
    assert.equal(error.code, Code.InvalidArgument);
    assert.deepEqual(fieldsOf(error).sort(), ["context.events", "context.function_call_id", "context.state"]);
  });

  verifies("execute-tool-failure", address, async (wire) => {
    assert.deepEqual((await execute(wire, "book-1")).response, { status: "error", error: "Missing parameter: seats" });
    assert.deepEqual((await execute(wire, "raises-1")).response, {
      status: "error",
      error: "Python function execution failed: KeyError: 'seat' (tools/raises/python_function/python_code.py, line 2)",
    });
    const { response } = await execute(wire, "sleeps-1");
    assert.match(String(response?.error), /^Code execution timed out: /);
  });

  verifies("execute-tool-mocks", address, async (wire) => {
    const mock = (pattern: object, mockResponse: object) => ({
      toolIdentifier: { case: "toolId" as const, value: `${app}/tools/stock-1` },
      expectedArgsPattern: pattern as never,
      mockResponse: mockResponse as never,
    });
    const mockConfig = {
      mockedToolCalls: [
        mock({ order: { $matchType: "regexp", $matchValue: "^B-" } }, { result: { left: 0 } }),
        mock({ deep: { level: 2 } }, { result: { left: 1 } }),
        mock({ order: "A-1", deep: { level: 1 } }, { result: { left: 7 } }),
        mock({}, { status: "error", error: "out of order" }),
      ],
      unmatchedToolCallBehavior: Unmatched.FAIL,
    };
    const answers = [];
    for (const order of ["A-1", "B-1", "C-1"]) {
      answers.push((await execute(wire, "ask-1", { args: { order }, mockConfig })).response?.result);
    }
    assert.deepEqual(answers, [
      { status: 200, stock: { result: { left: 7 } } },
      { status: 200, stock: { result: { left: 0 } } },
      { status: 500, stock: { status: "error", error: "out of order" } },
    ]);
  });

  verifies("execute-tool-unmatched", address, async (wire) => {
    const answer = async (unmatchedToolCallBehavior: Unmatched) =>
      (await execute(wire, "ask-1", { mockConfig: { mockedToolCalls: [], unmatchedToolCallBehavior } })).response;
    assert.deepEqual(await answer(Unmatched.PASS_THROUGH), {
      result: { status: 200, stock: { result: { order: "A-1", real: true } } },
    });
    assert.deepEqual(await answer(Unmatched.FAIL), {
      status: "error",
      error: `No mock matches the call of tool 'stock' with {"order":"A-1","deep":{"level":1}}.`,
    });
  });

  verifies("execute-tool-elsewhere", address, async (wire) => {
    for (const id of ["pick-1", "end_session"]) {
      const error = await errorOf(execute(wire, id));
      assert.equal(error.code, Code.FailedPrecondition);
      assert.deepEqual(
        error.findDetails(ErrorInfoSchema).map(({ reason, metadata }) => [reason, metadata]),
        [["TOOL_NOT_EXECUTABLE", { tool: `${app}/tools/${id}` }]],
      );
    }
  });

  verifies("execute-tool-unknown", address, async (wire) => {
    const client = wire.client(ToolService);
    const missing = await errorOf(execute(wire, "missing-1"));
    assert.deepEqual(
      [missing.code, missing.findDetails(ResourceInfoSchema).map(({ resourceName }) => resourceName)],
      [Code.NotFound, [`${app}/tools/missing-1`]],
    );
    const parent = `${PARENT}/apps/none-${randomUUID().slice(0, 8)}`;
    const named = (value: string) => ({ case: "tool" as const, value });
    const unknownApp = { parent, toolIdentifier: named(`${parent}/tools/book-1`) };
    assert.equal((await errorOf(client.executeTool(unknownApp))).code, Code.NotFound);
    const foreign = await errorOf(client.executeTool({ parent: app, toolIdentifier: named(`${parent}/tools/book-1`) }));
    assert.deepEqual([foreign.code, fieldsOf(foreign)], [Code.InvalidArgument, ["tool"]]);
    const nameless = await errorOf(client.executeTool({ parent: app }));
    assert.deepEqual([nameless.code, fieldsOf(nameless)], [Code.InvalidArgument, ["tool_identifier"]]);
  });
});

describe("RetrieveToolSchema", () => {
  const schemas = async (wire: Wire, id: string) => {
    const answer = await wire
      .client(ToolService)
      .retrieveToolSchema({ parent: app, toolIdentifier: toolIdentifier(id) });
    assert.deepEqual(answer.toolIdentifier, toolIdentifier(id));
    return [answer.inputSchema, answer.outputSchema].map((schema) => schema && toJson(SchemaSchema, schema));
  };

  verifies("tool-schema", address, async (wire) => {
    assert.deepEqual(await schemas(wire, "book-1"), [
      {
        type: "OBJECT",
        properties: {
          seats: { type: "INTEGER", description: "how many" },
          row: { type: "STRING", enum: ["A", "B"], default: "A" },
          note: { type: "STRING", nullable: true, default: "" },
        },
        required: ["seats"],
      },
      {
        type: "OBJECT",
        properties: { result: { type: "OBJECT", additionalProperties: { type: "INTEGER" } } },
      },
    ]);
  });

  verifies("tool-schema-declared", address, async (wire) => {
    assert.deepEqual(await schemas(wire, "pick-1"), [
      { type: "OBJECT", properties: { seat: { type: "INTEGER", enum: ["1", "2"] } } },
      { type: "OBJECT", properties: { seat: { type: "INTEGER", nullable: true } } },
    ]);
    const [input, output] = await schemas(wire, "end_session");
    assert.deepEqual(
      [Object.keys((input as { properties: object }).properties), output],
      [["reason", "session_escalated", "params"], undefined],
    );
  });

  verifies("tool-schema-broken", address, async (wire) => {
    const error = await errorOf(schemas(wire, "broken-1"));
    assert.equal(error.code, Code.FailedPrecondition);
    assert.match(error.rawMessage, /^The code of tool '.+' does not load: SyntaxError: .+ \(line 2\)\.$/);
  });
});

describe("toolsets", () => {
  verifies("toolset-tools", address, async (wire) => {
    const client = wire.client(ToolService);
    const toolset = `${app}/toolsets/missing-1`;
    const request = { parent: app, toolIdentifier: { case: "toolsetTool" as const, value: { toolset, toolId: "x" } } };
    const errors = [
      await errorOf(client.executeTool(request)),
      await errorOf(client.retrieveToolSchema(request)),
      await errorOf(client.retrieveTools({ toolset })),
    ];
    assert.deepEqual(
      errors.map(({ code }) => code),
      [Code.NotFound, Code.NotFound, Code.NotFound],
    );
  });
});

describe("ToolService of v1", () => {
  it("answers the same", async () => {
    const post = async (method: string, body: object): Promise<JsonObject> => {
      const response = await fetch(`${server.address}/v1/${app}:${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ tool: `${app}/tools/book-1`, ...body }),
      });
      return (await response.json()) as JsonObject;
    };
    assert.deepEqual(await post("executeTool", { args: { seats: 3 }, variables: { booked: 1 } }), {
      tool: `${app}/tools/book-1`,
      response: { result: { booked: 4 } },
      variables: { booked: 4 },
    });
    const { inputSchema } = await post("retrieveToolSchema", {});
    assert.deepEqual(isJsonObject(inputSchema) && inputSchema.required, ["seats"]);
  });
});
