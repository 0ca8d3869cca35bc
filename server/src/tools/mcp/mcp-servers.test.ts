import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { ApiKeyConfig_RequestLocation as Location } from "@frontdesk/protos/ces/auth";
import type { McpToolsetSchema } from "@frontdesk/protos/ces/mcp_toolset";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { type JsonObject, parseJson } from "#base";
import { type GotRequest, serveLoopback } from "../__fixtures__/loopback.ts";
import { startModernServer } from "../__fixtures__/modern-server.ts";
import { callContext, openMembers, openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";

function toolsetAt(serverAddress: string, more: MessageInitShape<typeof McpToolsetSchema> = {}): Toolset {
  return create(ToolsetSchema, {
    name: `${TEST_APP}/toolsets/set-1`,
    displayName: "set",
    toolsetType: { case: "mcpToolset", value: { serverAddress, ...more } },
  });
}

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" as const, ...more } });
const textResult = (text: string) => ({ content: [{ type: "text" as const, text }] });

describe("An MCP server of revision 2026-07-28", () => {
  it("is listed without a session, page by page, and its tools are called with their headers", async () => {
    const region = { properties: { region: { type: "string", "x-mcp-header": "Region" } } };
    await using server = await startModernServer([tool("a", region), tool("b"), tool("c")], (name) => textResult(name));
    await using tools = openTools();
    const members = await openMembers(tools, toolsetAt(server.address));
    assert.deepEqual([...members.keys()], ["a", "b", "c"]);
    const [first] = [...members.values()];
    assert.ok(first);
    assert.deepEqual(await respond(tools, first, { region: "eu" }), { output: "a" });
    const called = server.got.at(-1);
    assert.deepEqual(
      [called?.method, called?.headers["mcp-method"], called?.headers["mcp-name"], called?.headers["mcp-param-region"]],
      ["tools/call", "tools/call", "a", "eu"],
    );
    assert.equal(
      server.got.some(({ headers, method }) => headers["mcp-session-id"] !== undefined || method === "initialize"),
      false,
    );
  });

  it("gets numbers that JavaScript cannot hold as the model wrote them (PY-42)", async () => {
    await using server = await startModernServer([tool("a")], (name) => textResult(name));
    await using tools = openTools();
    const [first] = [...(await openMembers(tools, toolsetAt(server.address))).values()];
    assert.ok(first);
    const args = '{"id":9007199254740993,"more":[{"price":5.0},12345678901234567890]}';
    await respond(tools, first, parseJson(args) as JsonObject);
    assert.match(server.got.at(-1)?.text ?? "", new RegExp(args.replaceAll(/[[\]{}.]/g, "\\$&")));
  });

  it("with hundreds of tools on short pages is listed whole, up to a thousand tools", async () => {
    const named = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool-${at}`));
    await using tools = openTools();
    for (const [count, used] of [
      [500, 500],
      [1_100, 1_000],
    ] as const) {
      await using server = await startModernServer(named(count), (name) => textResult(name));
      assert.equal((await openMembers(tools, toolsetAt(server.address))).size, used);
    }
  });

  it("that asks for input gets none, which the function response reports", async () => {
    const inputRequests = {
      day: {
        method: "elicitation/create",
        params: { message: "Day?", requestedSchema: { type: "object", properties: {} } },
      },
    };
    await using server = await startModernServer([tool("ask")], () => ({
      resultType: "input_required",
      inputRequests,
    }));
    await using tools = openTools();
    const [ask] = [...(await openMembers(tools, toolsetAt(server.address))).values()];
    assert.ok(ask);
    const { status, error } = await respond(tools, ask, {});
    assert.equal(status, "error");
    assert.match(String(error), /^Calling MCP tool 'ask' failed: /);
  });
});

describe("What an MCP toolset sends", () => {
  const KEY = "projects/p/secrets/mcp/versions/1";

  it("is its API key with every request, and a caller's bearer token with executions only", async () => {
    await using server = await startModernServer([tool("a")], () => textResult("ok"));
    await using tools = openTools({ secrets: { [KEY]: "k-1" } });
    const apiKey = {
      case: "apiKeyConfig" as const,
      value: { keyName: "x-key", apiKeySecretVersion: KEY, requestLocation: Location.HEADER },
    };
    const bearer = { case: "bearerTokenConfig" as const, value: { token: "$context.variables.token" } };
    const sent = async (authConfig: typeof apiKey | typeof bearer, header: string) => {
      const before = server.got.length;
      const toolset = toolsetAt(server.address, { apiAuthentication: { authConfig } });
      const [only] = [...(await openMembers(tools, toolset, { token: "t-1" })).values()];
      assert.ok(only);
      assert.deepEqual(await respond(tools, only, {}, callContext({ token: "t-1" })), { output: "ok" });
      return server.got.slice(before).map(({ method, headers }) => [method, headers[header]]);
    };
    assert.deepEqual(new Set((await sent(apiKey, "x-key")).map(([, value]) => value)), new Set(["k-1"]));
    const withBearer = await sent(bearer, "authorization");
    assert.deepEqual(
      withBearer.filter(([method]) => String(method).startsWith("tools/")),
      [
        ["tools/list", undefined],
        ["tools/call", "Bearer t-1"],
      ],
    );
  });

  it("is not shared: two toolsets of one server use separate keys in one conversation", async () => {
    await using server = await startModernServer([tool("a")], () => textResult("ok"));
    const OTHER = "projects/p/secrets/other/versions/1";
    await using tools = openTools({ secrets: { [KEY]: "k-1", [OTHER]: "k-2" } });
    for (const [apiKeySecretVersion, expected] of [
      [KEY, "k-1"],
      [OTHER, "k-2"],
    ] as const) {
      const value = { keyName: "x-key", apiKeySecretVersion, requestLocation: Location.HEADER };
      const apiAuthentication = { authConfig: { case: "apiKeyConfig" as const, value } };
      const [only] = [...(await openMembers(tools, toolsetAt(server.address, { apiAuthentication }))).values()];
      assert.ok(only);
      await respond(tools, only, {});
      assert.equal(server.got.at(-1)?.headers["x-key"], expected);
    }
  });

  it("is redacted when a server echoes it", async () => {
    await using server = await startModernServer([tool("a")], () => textResult("You sent key-for-mcp-1."));
    await using tools = openTools({ secrets: { [KEY]: "key-for-mcp-1" } });
    const value = { keyName: "x-key", apiKeySecretVersion: KEY, requestLocation: Location.HEADER };
    const apiAuthentication = { authConfig: { case: "apiKeyConfig" as const, value } };
    const [only] = [...(await openMembers(tools, toolsetAt(server.address, { apiAuthentication }))).values()];
    assert.ok(only);
    assert.deepEqual(await respond(tools, only, {}), { output: "You sent [credential]." });
  });

  it("is its custom headers from the session's variables; one without a value is left out and reported", async () => {
    await using server = await startModernServer([tool("a")], () => textResult("ok"));
    await using tools = openTools();
    const customHeaders = { "X-User": "$context.variables.user", "X-Plan": "$context.variables.plan" };
    const toolset = toolsetAt(server.address, { customHeaders });
    const [only] = [...(await openMembers(tools, toolset, { user: "ana" })).values()];
    assert.ok(only);
    const outcome = await tools.execute(only, { id: "1", name: "a", args: {} }, callContext({ user: "ana" }));
    assert.deepEqual(outcome.output, [
      { stream: "stderr", text: "Header 'X-Plan' was not sent: variable 'plan' has no value." },
    ]);
    assert.deepEqual(
      new Set(server.got.map(({ headers }) => `${headers["x-user"]} ${headers["x-plan"]}`)),
      new Set(["ana undefined"]),
    );
  });

  it("never replaces headers of the protocol, and reports misconfigured ones", async () => {
    await using tools = openTools();
    const customHeaders = {
      Authorization: "$context.variables.a",
      "X-Fixed": "abc",
      "Mcp-Session-Id": "$context.variables.b",
    };
    assert.deepEqual(await tools.problems(toolsetAt("ftp://x/", { customHeaders })), [
      "server_address: 'ftp://x/' is not an http or https URL",
      "custom_headers, 'Authorization': this header belongs to the protocol or to api_authentication",
      "custom_headers, 'X-Fixed': its value must have the form $context.variables.NAME",
      "custom_headers, 'Mcp-Session-Id': this header belongs to the protocol or to api_authentication",
    ]);
  });
});

describe("A toolset that is being written", () => {
  it("does not wait for a slow server when no snapshot is missing, and records its late response", async () => {
    const held: ServerResponse[] = [];
    await using server = await serveLoopback((_request, response) => void held.push(response));
    await using tools = openTools();
    const toolset = toolsetAt(server.origin);
    const firstProblem = async () => (await tools.problems(toolset))[0] ?? "";
    const prefix = "the server's tools could not be listed when the toolset was written: ";
    assert.equal(await tools.refreshSnapshots(toolset), toolset);
    assert.equal(await firstProblem(), `${prefix}the server did not answer within 1000 ms`);
    const refuse = setInterval(() => {
      for (const response of held.splice(0)) response.writeHead(403).end();
    }, 10);
    // The server is given 5 s in all, which a busy machine may need for itself.
    while ((await firstProblem()).includes("within 1000 ms")) await new Promise((resolve) => setTimeout(resolve, 10));
    clearInterval(refuse);
    assert.match(await firstProblem(), /403|within 5000 ms/);
  });
});

describe("What an author learns of a server's tools", () => {
  it("is which of them are not offered, and why, until the server lists them otherwise (TOOL-54)", async () => {
    const listed = [tool("a"), tool("größe"), tool("a"), tool("deep", nested(40))];
    await using server = await startModernServer(listed, textResult);
    await using tools = openTools();
    const toolset = toolsetAt(server.address);
    await tools.refreshSnapshots(toolset);
    assert.deepEqual(await tools.problems(toolset), [
      "the server's tool 'größe' is not offered: its name is not one of 1 to 128 letters, digits, '_', '-', '.' and '/'",
      "the server's tool 'a' is not offered: the server lists it twice",
      "the server's tool 'deep' is not offered: its schema is nested deeper than 32",
    ]);
    listed.splice(1, 3, ...Array.from({ length: 14 }, (_, at) => tool(`größe ${at}`)));
    assert.deepEqual([...(await openMembers(tools, toolset)).keys()], ["a"]);
    const problems = await tools.problems(toolset);
    assert.equal(problems.length, 11);
    assert.equal(problems.at(-1), "4 more of the server's tools are not offered");
  });

  it("is of each toolset its own, although two have one server", async () => {
    await using server = await serveLoopback(
      ({ headers }, response) => void response.writeHead(Number(headers["x-key"])).end(),
    );
    await using tools = openTools({
      secrets: { "projects/p/secrets/a/versions/1": "403", "projects/p/secrets/b/versions/1": "404" },
    });
    const [first, second] = ["a", "b"].map((id) => {
      const apiKeySecretVersion = `projects/p/secrets/${id}/versions/1`;
      const value = { keyName: "x-key", apiKeySecretVersion, requestLocation: Location.HEADER };
      const toolset = toolsetAt(`${server.origin}/mcp`, {
        apiAuthentication: { authConfig: { case: "apiKeyConfig", value } },
      });
      toolset.name = `${TEST_APP}/toolsets/${id}`;
      return toolset;
    });
    assert.ok(first && second);
    for (const toolset of [first, second]) await tools.refreshSnapshots(toolset);
    assert.match(`${await tools.problems(first)}`, /HTTP 403$/);
    assert.match(`${await tools.problems(second)}`, /HTTP 404$/);
  });

  it("is that a caller's bearer token is not sent for the list, where the server wants one (TOOL-55)", async () => {
    await using server = await serveLoopback((_request, response) => void response.writeHead(401).end());
    await using tools = openTools();
    const authConfig = { case: "bearerTokenConfig" as const, value: { token: "$context.variables.token" } };
    const open = (more: MessageInitShape<typeof McpToolsetSchema>) =>
      assert.rejects(openMembers(tools, toolsetAt(`${server.origin}/mcp`, more), { token: "t-1" }), {
        rawMessage: more.apiAuthentication
          ? "The tools of MCP toolset 'set' cannot be listed: HTTP 401 (tools are listed without the token of bearer_token_config; a server that wants credentials for that needs another api_authentication)."
          : "The tools of MCP toolset 'set' cannot be listed: HTTP 401.",
      });
    await open({ apiAuthentication: { authConfig } });
    await open({});
  });
});

/** A schema with so many levels. */
function nested(levels: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { type: "object", properties: { in: schema } };
  return schema;
}

describe("An MCP server of a revision with sessions", () => {
  it("gets another session when the first has expired, and each call once", async () => {
    let sessions = 0;
    const calls: string[] = [];
    await using server = await serveLoopback(({ method, headers, body }, response) => {
      if (method === "DELETE") return void response.writeHead(200).end();
      const { id, method: asked } = body as { id?: number; method: string };
      if (asked === "server/discover") return void response.writeHead(400).end();
      const session = headers["mcp-session-id"];
      if (asked !== "initialize" && session !== `s${sessions}`) return void response.writeHead(404).end();
      if (id === undefined) return void response.writeHead(202).end();
      if (asked === "initialize") {
        sessions += 1;
        response.setHeader("mcp-session-id", `s${sessions}`);
        const serverInfo = { name: "x", version: "1" };
        return {
          jsonrpc: "2.0",
          id,
          result: { protocolVersion: "2025-03-26", capabilities: { tools: {} }, serverInfo },
        };
      }
      if (asked === "tools/list") return { jsonrpc: "2.0", id, result: { tools: [tool("a")] } };
      calls.push(String(session));
      return { jsonrpc: "2.0", id, result: textResult("ok") };
    });
    await using tools = openTools();
    const [only] = [...(await openMembers(tools, toolsetAt(`${server.origin}/mcp`))).values()];
    assert.ok(only);
    await respond(tools, only, {});
    await respond(tools, only, {});
    assert.deepEqual(calls, ["s2", "s2"]);
    // The server restarts: what it gave out is gone.
    sessions += 1;
    assert.deepEqual(await respond(tools, only, {}), { output: "ok" });
    assert.deepEqual(calls, ["s2", "s2", "s4"]);
    // Another conversation has a session of its own.
    const other = callContext();
    await respond(tools, only, {}, { ...other, python: { ...other.python, sessionId: "session-2" } });
    assert.deepEqual(calls, ["s2", "s2", "s4", "s5"]);
  });
});

describe("A hostile MCP server", () => {
  /** The error of opening the toolset. */
  async function openError(answer: (request: GotRequest, response: ServerResponse) => unknown): Promise<string> {
    await using server = await serveLoopback(answer);
    await using tools = openTools();
    return await openMembers(tools, toolsetAt(`${server.origin}/mcp`)).then(
      (members) => `opened with ${[...members.keys()].join(", ")}`,
      (error: Error) => error.message,
    );
  }
  const end =
    (status: number, headers: Record<string, string>, body = "") =>
    (_: GotRequest, response: ServerResponse) =>
      void response.writeHead(status, headers).end(body);

  it("is named as the cause when it answers with a web page", async () => {
    assert.match(
      await openError(end(200, { "content-type": "text/html" }, "<!doctype html><h1>Hi</h1>")),
      /cannot be listed: .*(content type|web page)/i,
    );
    assert.match(
      await openError(end(404, { "content-type": "text/html" }, "<html>")),
      /cannot be listed: HTTP 404: .*web page/,
    );
  });

  it("is named as the cause when it answers with other JSON", async () => {
    assert.match(
      await openError(end(200, { "content-type": "application/json" }, '{"pets": []}')),
      /cannot be listed: the server's response is not an MCP message \(JSON-RPC 2\.0\)\.$/,
    );
  });

  it("cannot redirect elsewhere", async () => {
    const moved = await openError(end(302, { location: "/elsewhere" }));
    assert.match(moved, /cannot be listed: HTTP 302: the server redirects, which is not followed\.$/);
    for (const location of ["http://169.254.169.254/latest/meta-data", "http://10.0.0.1/mcp", "http://public.example/"])
      assert.match(await openError(end(307, { location })), /cannot be listed: /, location);
  });

  it("is not read beyond the limit", async () => {
    const flood = (_: GotRequest, response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/json" });
      const megabyte = Buffer.alloc(1024 * 1024, "[");
      const pour = () => {
        while (!response.destroyed && response.write(megabyte));
        if (!response.destroyed) response.once("drain", pour);
      };
      pour();
    };
    assert.match(await openError(flood), /cannot be listed: .*larger than 10485760 bytes/);
  });

  it("cannot delay a call beyond the tool's timeout, whether it is silent or sends slowly", async () => {
    let silent = false;
    const listed = { tools: [tool("a")] };
    await using server = await serveLoopback(({ body }, response) => {
      const { id, method } = body as { id?: number; method: string };
      if (method === "server/discover") return void response.writeHead(404).end();
      if (id === undefined) return void response.writeHead(202).end();
      if (method === "initialize") {
        const result = {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "x", version: "1" },
        };
        return { jsonrpc: "2.0", id, result };
      }
      if (method === "tools/list") return { jsonrpc: "2.0", id, result: listed };
      if (silent) return undefined;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const drip = setInterval(() => response.write(": still here\n\n"), 20);
      response.once("close", () => clearInterval(drip));
      return undefined;
    });
    await using tools = openTools();
    const toolset = create(ToolsetSchema, {
      ...toolsetAt(`${server.origin}/mcp`),
      timeout: create(DurationSchema, { nanos: 200_000_000 }),
    });
    const [only] = [...(await openMembers(tools, toolset)).values()];
    assert.ok(only);
    const late = "Calling MCP tool 'a' failed: the server did not answer within 200 ms";
    assert.equal((await respond(tools, only, {})).error, late);
    silent = true;
    assert.equal((await respond(tools, only, {})).error, late);
  });

  it("loses the tools that cannot be used, and no others", async () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { properties: { x: deep(levels - 1) } });
    const many = { properties: Object.fromEntries(Array.from({ length: 2_500 }, (_, at) => [`p${at}`, {}])) };
    const hostile = [tool("deep", deep(60)), tool("many", many), tool("a b"), tool("good"), tool("good")];
    await using server = await startModernServer(hostile, () => textResult("ok"));
    await using tools = openTools();
    assert.deepEqual([...(await openMembers(tools, toolsetAt(server.address))).keys()], ["good"]);
  });
});
