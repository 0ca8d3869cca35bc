import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ActionSchema,
  type ConnectorToolSchema,
  Action_EntityOperation_OperationType as Operation,
} from "@frontdesk/protos/ces/connector_tool";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { type GotRequest, serveLoopback } from "../__fixtures__/loopback.ts";
import { callContext, openMembers, openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";
import type { HttpConnectionConfig } from "./connectors-config.ts";

const CONNECTION = "projects/p/locations/europe-west1/connections/crm";

function toolOf(
  action: MessageInitShape<typeof ActionSchema>,
  more: MessageInitShape<typeof ConnectorToolSchema> = {},
  connection = CONNECTION,
): Tool {
  return create(ToolSchema, {
    name: `${TEST_APP}/tools/crm`,
    displayName: "crm",
    toolType: { case: "connectorTool", value: { ...more, connection, action: create(ActionSchema, action) } },
  });
}

const entity = (operation: Operation, more: MessageInitShape<typeof ActionSchema> = {}) => ({
  actionSpec: { case: "entityOperation" as const, value: { entityId: "Issues", operation } },
  ...more,
});
const SEND_MAIL = { actionSpec: { case: "connectionActionId" as const, value: "SendMail" } };

const ROW = { name: `${CONNECTION}/entityTypes/Issues/entities/7`, fields: { Id: "7", Title: "Leak", Secret: "x" } };

/** The runtime API of Integration Connectors (v2): one connection with the action SendMail and the entity Issues. */
function connectorsApi({ method, path, body }: GotRequest): unknown {
  const [place = ""] = path.replace(`/v2/${CONNECTION}`, "").split("?");
  switch (`${method} ${place}`) {
    case "GET /actions/SendMail":
      return {
        name: "SendMail",
        description: "Sends an e-mail.",
        inputJsonSchema: {
          type: ["object"],
          properties: {
            to: { type: ["string"], description: "Whom to.", jdbcType: "VARCHAR" },
            copies: { type: ["integer"], jdbcType: "INTEGER" },
          },
          required: ["to"],
        },
        resultMetadata: [{ name: "messageId", dataType: "STRING", nullable: true }],
      };
    case "POST /actions/SendMail:execute":
      return { results: [{ messageId: "m-1", cost: 3, to: (body as { parameters: { to: string } }).parameters.to }] };
    case "GET /entityTypes/Issues":
      return {
        name: "Issues",
        fields: [
          { name: "Id", dataType: "STRING", key: true, nullable: false, defaultValue: "" },
          { name: "Title", dataType: "STRING", description: "In a few words.", nullable: false },
          { name: "Points", dataType: "INT", nullable: true },
          { name: "Open", dataType: "BOOLEAN", nullable: true },
        ],
      };
    case "GET /entityTypes/Issues/entities":
      return { entities: [ROW], nextPageToken: "more" };
    case "GET /entityTypes/Issues/entities/7":
    case "PATCH /entityTypes/Issues/entities/7":
    case "POST /entityTypes/Issues/entities":
      return ROW;
    case "DELETE /entityTypes/Issues/entities/7":
      return {};
    default:
      return undefined;
  }
}

async function openConnectors(more: { readonly endUserHeader?: string } = {}) {
  const api = await serveLoopback((request, response) => {
    const answer = connectorsApi(request);
    if (answer !== undefined) return answer;
    response.statusCode = 404;
    return { error: { code: 404, message: `Resource '${request.path}' was not found`, status: "NOT_FOUND" } };
  });
  const google = { endpoint: api.origin, accessToken: async () => "operator-token", projects: ["p"], ...more };
  const tools = openTools({ connectors: { google, http: new Map() } });
  return {
    api,
    tools,
    async [Symbol.asyncDispose]() {
      await tools[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

describe("A connector tool over the wire of Integration Connectors", () => {
  it("declares an action by the connection's own schema", async () => {
    await using open = await openConnectors();
    assert.deepEqual(await open.tools.declare(toolOf(SEND_MAIL)), {
      name: "crm",
      description: "Sends an e-mail.",
      parameters: {
        type: "object",
        properties: { to: { type: "string", description: "Whom to." }, copies: { type: "integer" } },
        required: ["to"],
      },
      response: {
        type: "object",
        properties: {
          output: { type: "array", items: { type: "object", properties: { messageId: { type: "string" } } } },
        },
      },
      tool: `${TEST_APP}/tools/crm`,
      runs: "server",
    });
    const named = toolOf({ ...SEND_MAIL, inputFields: ["to"] }, { description: "Mails." });
    const { description, parameters } = await open.tools.declare(named);
    assert.deepEqual(
      [description, parameters.properties],
      ["Mails.", { to: { type: "string", description: "Whom to." } }],
    );
  });

  it("executes an action as the operator, and returns the columns that it names", async () => {
    await using open = await openConnectors();
    const tool = toolOf({ ...SEND_MAIL, inputFields: ["to"], outputFields: ["messageId"] });
    assert.deepEqual(await respond(open.tools, tool, { to: "ana@example.com", copies: 9 }), {
      output: [{ messageId: "m-1" }],
    });
    const [request] = open.api.got;
    assert.deepEqual(
      [request?.method, request?.path, request?.headers.authorization, request?.body],
      [
        "POST",
        `/v2/${CONNECTION}/actions/SendMail:execute`,
        "Bearer operator-token",
        { parameters: { to: "ana@example.com" } },
      ],
    );
  });

  it("declares each operation on an entity by the entity's fields", async () => {
    await using open = await openConnectors();
    const declared = async (operation: Operation, more = {}) => {
      const { description, parameters } = await open.tools.declare(toolOf(entity(operation, more)));
      const { properties, required } = parameters as { properties: object; required?: string[] };
      return [description, Object.keys(properties), required];
    };
    const fields = ["Id", "Title", "Points", "Open"];
    const page = ["page_size", "page_token"];
    assert.deepEqual(await declared(Operation.LIST), ["Lists Issues.", ["conditions", "sort_by", ...page], undefined]);
    assert.deepEqual(await declared(Operation.LIST, { inputFields: ["Title"] }), [
      "Lists Issues.",
      ["Title", ...page],
      undefined,
    ]);
    assert.deepEqual(await declared(Operation.GET), ["Gets one of Issues.", ["entity_id"], ["entity_id"]]);
    assert.deepEqual(await declared(Operation.CREATE), ["Creates one of Issues.", fields, ["Title"]]);
    assert.deepEqual(await declared(Operation.UPDATE), [
      "Changes one of Issues.",
      ["entity_id", "Title", "Points", "Open"],
      ["entity_id"],
    ]);
    assert.deepEqual(await declared(Operation.DELETE), ["Deletes one of Issues.", ["entity_id"], ["entity_id"]]);
  });

  it("runs each operation on an entity", async () => {
    await using open = await openConnectors();
    const { tools, api } = open;
    const named = { outputFields: ["Id", "Title"] };
    const row = { Id: "7", Title: "Leak" };
    const does = (operation: Operation, args: Parameters<typeof respond>[2], more = {}) =>
      respond(tools, toolOf(entity(operation, { ...named, ...more })), args);
    assert.deepEqual(await does(Operation.LIST, { Title: "O'Hara", page_size: 900 }, { inputFields: ["Title"] }), {
      output: { entities: [row], next_page_token: "more" },
    });
    assert.deepEqual(await does(Operation.GET, { entity_id: "7" }), { output: row });
    assert.deepEqual(await does(Operation.CREATE, { Title: "Leak" }), { output: row });
    assert.deepEqual(await does(Operation.UPDATE, { entity_id: "7", Open: false }), { output: row });
    assert.deepEqual(await does(Operation.DELETE, { entity_id: "7" }), { output: {} });
    const entities = `/v2/${CONNECTION}/entityTypes/Issues/entities`;
    assert.deepEqual(
      api.got.map(({ method, path, body }) => [method, path, body]),
      [
        ["GET", `${entities}?${new URLSearchParams({ pageSize: "200", conditions: "Title = 'O''Hara'" })}`, undefined],
        ["GET", `${entities}/7`, undefined],
        ["POST", entities, { fields: { Title: "Leak" } }],
        ["PATCH", `${entities}/7`, { fields: { Open: false } }],
        ["DELETE", `${entities}/7`, undefined],
      ],
    );
  });

  it("sends an end user's credentials beside the operator's, and names a missing variable", async () => {
    await using open = await openConnectors({ endUserHeader: "x-end-user" });
    const authConfig = {
      authConfig: { case: "oauth2AuthCodeConfig" as const, value: { oauthToken: "$context.variables.user_token" } },
    };
    const tool = toolOf(SEND_MAIL, { authConfig });
    await respond(open.tools, tool, { to: "a" }, callContext({ user_token: "theirs" }));
    const header = String(open.api.got[0]?.headers["x-end-user"]);
    assert.deepEqual(JSON.parse(Buffer.from(header, "base64").toString()), {
      "oauth2_auth_code_flow.access_token": "theirs",
    });
    const { error } = await respond(open.tools, tool, { to: "a" });
    assert.match(String(error), /^Calling connector tool 'crm' failed: .*'user_token', which has no value/);
    assert.equal(open.api.got.length, 1);
  });

  it("does not call with its own rights where an end user's credentials cannot be sent", async () => {
    await using open = await openConnectors();
    const authConfig = {
      authConfig: { case: "oauth2AuthCodeConfig" as const, value: { oauthToken: "$context.variables.user_token" } },
    };
    const tool = toolOf(SEND_MAIL, { authConfig });
    const { error } = await respond(open.tools, tool, { to: "a" }, callContext({ user_token: "theirs" }));
    assert.match(String(error), /cannot be sent, .* 'connectors\.google\.endUserHeader'/);
    assert.match((await open.tools.problems(tool)).join(), /^auth_config: the end user's credentials cannot be sent/);
    assert.deepEqual(open.api.got, []);
  });

  it("returns the service's error, and what the operator does not allow", async () => {
    await using open = await openConnectors();
    const errorOf = async (tool: Tool, args = {}) => String((await respond(open.tools, tool, args)).error);
    const unknown = toolOf({ actionSpec: { case: "connectionActionId", value: "Nothing" } });
    assert.match(await errorOf(unknown), /failed: HTTP 404: Resource '.*' was not found$/);
    await assert.rejects(open.tools.declare(unknown), /Connector tool 'crm' cannot be described: HTTP 404/);
    const other = toolOf(SEND_MAIL, {}, CONNECTION.replace("/p/", "/q/"));
    assert.match(await errorOf(other), /the operator does not let apps use connections of project 'q'/);
    assert.match(await errorOf(toolOf(entity(Operation.GET))), /failed: Missing parameter: entity_id$/);
    await using none = openTools();
    assert.match(
      String((await respond(none, toolOf(SEND_MAIL), {})).error),
      /is not configured; the operator can add it/,
    );
  });

  it("reports a misconfiguration before it is called", async () => {
    await using tools = openTools();
    assert.deepEqual(await tools.problems(toolOf(entity(Operation.OPERATION_TYPE_UNSPECIFIED), {}, "crm")), [
      "connection: 'crm' must have the form projects/{project}/locations/{location}/connections/{connection}",
      "action.entity_operation.operation is not set",
    ]);
    const authConfig = { authConfig: { case: "oauth2AuthCodeConfig" as const, value: { oauthToken: "abc" } } };
    assert.deepEqual(await tools.problems(toolOf(SEND_MAIL, { authConfig })), [
      `connection '${CONNECTION}' is not configured; the operator can add it, or Integration Connectors, under 'connectors' of the config file`,
      "auth_config.oauth2_auth_code_config.oauth_token: must have the form $context.variables.NAME",
    ]);
    await using open = await openConnectors();
    assert.deepEqual(await open.tools.problems(toolOf(SEND_MAIL)), []);
  });
});

describe("A connection's server", () => {
  const answers = async (status: number, headers: Record<string, string>, body: string): Promise<string> => {
    await using api = await serveLoopback((_, response) => void response.writeHead(status, headers).end(body));
    const google = { endpoint: api.origin, accessToken: async () => "operator-token" };
    await using tools = openTools({ connectors: { google, http: new Map() } });
    return String((await respond(tools, toolOf(SEND_MAIL), { to: "a" })).error);
  };

  it("is named as the cause when it answers with a web page, redirects or never ends", async () => {
    assert.match(
      await answers(200, {}, "<!doctype html><p>Hi"),
      /did not respond with JSON: the server answered with a web page$/,
    );
    assert.match(await answers(302, { location: "http://169.254.169.254/" }, ""), /failed: HTTP 302: /);
    assert.match(await answers(200, {}, "x".repeat(11 * 1024 * 1024)), /larger than 10485760 bytes$/);
    assert.match(await answers(500, {}, "operator-token is wrong"), /^(?!.*operator-token)/);
  });
});

describe("A connector toolset", () => {
  it("has a tool for each of its actions, named after it", async () => {
    await using open = await openConnectors();
    const toolset = create(ToolsetSchema, {
      name: `${TEST_APP}/toolsets/crm`,
      displayName: "crm",
      toolsetType: {
        case: "connectorToolset",
        value: {
          connection: CONNECTION,
          connectorActions: [SEND_MAIL, entity(Operation.GET), entity(Operation.GET), {}],
        },
      },
    });
    const members = await openMembers(open.tools, toolset);
    assert.deepEqual(
      [...members].map(([id, tool]) => [id, tool.displayName]),
      [
        ["SendMail", "crm_SendMail"],
        ["get_Issues", "crm_get_Issues"],
      ],
    );
    const get = members.get("get_Issues");
    assert.ok(get);
    assert.deepEqual(await respond(open.tools, get, { entity_id: "7" }), { output: ROW.fields });
    assert.deepEqual(await open.tools.problems(toolset), [
      "connector_actions[2]: 'get_Issues' occurs twice; the first one counts",
      "connector_actions[3]: action names neither a connection_action_id nor an entity_operation",
    ]);
  });
});

describe("A connection over plain HTTP", () => {
  const issues = {
    type: "object",
    properties: { Id: { type: "string" }, Title: { type: "string" } },
    required: ["Title"],
  };
  const configOf = (baseUrl: string): HttpConnectionConfig => ({
    baseUrl,
    actions: {
      close: {
        description: "Closes an issue.",
        method: "POST",
        path: "/issues/{id}:close",
        input: { type: "object", properties: { id: { type: "string" }, why: { type: "string" } }, required: ["id"] },
      },
      find: {
        description: "Finds issues.",
        method: "GET",
        path: "/search?kind=issue",
        input: {
          type: "object",
          properties: { q: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
        },
      },
    },
    entities: { Issues: { path: "/issues", key: "Id", schema: issues, rows: "items", operations: ["list", "get"] } },
  });
  const actionOf = (id: string) => toolOf({ actionSpec: { case: "connectionActionId", value: id } });

  it("maps actions and entities to the requests that the operator configured", async () => {
    await using api = await serveLoopback(({ path }) =>
      path.startsWith("/api/issues?") ? { items: [{ Id: "7" }], next_page_token: "2" } : { ok: true },
    );
    await using tools = openTools({ connectors: { http: new Map([[CONNECTION, configOf(`${api.origin}/api`)]]) } });
    const { description, parameters } = await tools.declare(actionOf("close"));
    assert.deepEqual([description, parameters.required], ["Closes an issue.", ["id"]]);
    assert.deepEqual(await respond(tools, actionOf("close"), { id: "a/../b", why: "done", role: "admin" }), {
      output: [{ ok: true }],
    });
    await respond(tools, actionOf("find"), { q: "leak", tags: ["x", "y"] });
    assert.deepEqual(await respond(tools, toolOf(entity(Operation.LIST)), { page_size: 2 }), {
      output: { entities: [{ Id: "7" }], next_page_token: "2" },
    });
    assert.deepEqual(
      api.got.map(({ method, path, body }) => [method, path, body]),
      [
        ["POST", "/api/issues/a%2F..%2Fb:close", { why: "done" }],
        ["GET", "/api/search?kind=issue&q=leak&tags=x&tags=y", undefined],
        ["GET", "/api/issues?page_size=2", undefined],
      ],
    );
  });

  it("rejects what is not configured, and never leaves its path", async () => {
    await using tools = openTools({ connectors: { http: new Map([[CONNECTION, configOf("http://127.0.0.1:1")]]) } });
    const errorOf = async (tool: Tool, args = {}) => String((await respond(tools, tool, args)).error);
    assert.match(await errorOf(actionOf("drop")), /The connection has no action 'drop'; it has close, find$/);
    assert.match(
      await errorOf(toolOf(entity(Operation.DELETE)), { entity_id: "7" }),
      /does not allow the operation delete on 'Issues'/,
    );
    assert.match(await errorOf(actionOf("close"), { id: ".." }), /'\.\.' is not a valid value for id/);
    assert.match(
      await errorOf(toolOf(entity(Operation.GET)), { entity_id: ".." }),
      /'\.\.' is not a valid value for entity_id/,
    );
    assert.match(await errorOf(actionOf("close"), {}), /Missing parameter: id/);
    assert.match(await errorOf(actionOf("close"), { id: "1" }), /ECONNREFUSED/);
  });
});
