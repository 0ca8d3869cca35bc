import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";
import { type Wire, wiresTo } from "./wires.ts";

let guide: AgentServer;
let wires: readonly Wire[];
before(async () => {
  guide = await startAgentServer();
  wires = wiresTo(guide.server.address, APP);
});
after(async () => {
  for (const wire of wires) wire.close();
  await guide[Symbol.asyncDispose]();
});

const MESSAGE = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "say Hello." }] };

/** What is wrong with a message; every binding refuses it, and names the field. */
const BAD_REQUESTS: readonly (readonly [string, object, RegExp])[] = [
  ["no message", {}, /message.*required/i],
  ["no id", { message: { ...MESSAGE, messageId: "" } }, /message_id/],
  ["a blank id", { message: { ...MESSAGE, messageId: "  " } }, /message_id/],
  ["an endless id", { message: { ...MESSAGE, messageId: "x".repeat(513) } }, /message_id.*513 characters/],
  [
    "an id with control characters",
    { message: { ...MESSAGE, contextId: "a\u0000b" } },
    /context_id.*control characters/,
  ],
  [
    "a webhook that the server would never call (A2A-24)",
    { message: MESSAGE, configuration: { taskPushNotificationConfig: { url: "http://10.0.0.1/hook" } } },
    /configuration\.task_push_notification_config\.url.*private address.*FRONTDESK_EGRESS_ALLOW/,
  ],
  ["no parts", { message: { ...MESSAGE, parts: [] } }, /parts/],
  ["an empty part", { message: { ...MESSAGE, parts: [{}] } }, /parts\[0\].*one of text, raw, url, data/],
  ["an empty text", { message: { ...MESSAGE, parts: [{ text: "" }] } }, /parts\[0\]/],
  [
    "too many parts",
    { message: { ...MESSAGE, parts: Array.from({ length: 1_001 }, () => ({ text: "x" })) } },
    /1001 parts/,
  ],
  [
    "too long a text",
    { message: { ...MESSAGE, parts: [{ text: "x".repeat(1_000_001) }] } },
    /parts.*1000001 characters/,
  ],
  [
    "too many values",
    { message: { ...MESSAGE, parts: [{ data: { list: Array.from({ length: 10_000 }, () => 1) } }] } },
    /parts.*10002 values/,
  ],
  [
    "far too many values",
    { message: { ...MESSAGE, parts: [{ data: { list: Array.from({ length: 80_000 }, () => 1) } }] } },
    /has more than 30000 values/,
  ],
  ["a link that is none", { message: { ...MESSAGE, parts: [{ url: "not an address" }] } }, /parts\[0\]\.url/],
  ["a role that there is not", { message: { ...MESSAGE, role: 99 } }, /role/],
  ["a part of an unknown kind", { message: { ...MESSAGE, parts: [{ hologram: "x" }] } }, /one of text, raw, url, data/],
  ["no role", { message: { ...MESSAGE, role: "ROLE_UNSPECIFIED" } }, /role/],
  ["the role of an agent", { message: { ...MESSAGE, role: "ROLE_AGENT" } }, /role/],
  ["a negative history", { message: MESSAGE, configuration: { historyLength: -1 } }, /history_length/],
  [
    "a webhook that is no address",
    { message: MESSAGE, configuration: { taskPushNotificationConfig: { url: "ftp://example.com" } } },
    /task_push_notification_config.*url/,
  ],
  [
    "a webhook with a password in its address",
    { message: MESSAGE, configuration: { taskPushNotificationConfig: { url: "https://a:b@example.com" } } },
    /user name or a password/,
  ],
  [
    "credentials that break a header",
    {
      message: MESSAGE,
      configuration: {
        taskPushNotificationConfig: {
          url: "https://example.com",
          authentication: { scheme: "Bearer", credentials: "a\r\nb" },
        },
      },
    },
    /credentials/,
  ],
];

describe("a bad request (A2A-7)", () => {
  const CODES = { "JSON-RPC": -32602, "HTTP+JSON": 400, gRPC: 3 };
  for (const [what, request, message] of BAD_REQUESTS) {
    it(`is refused: ${what}`, async () => {
      for (const wire of wires) {
        const { fault } = await wire.call("sendMessage", request);
        assert.equal(fault?.code, CODES[wire.name], `${wire.name}: ${fault?.message}`);
        assert.match(fault.message, message, wire.name);
      }
      const { value } = await (wires[0] as Wire).call("listTasks", {});
      assert.deepEqual(value.tasks, []);
    });
  }
});

describe("JSON-RPC", () => {
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${guide.server.address}/a2a/${APP}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
    return { response, json: (await response.json()) as any };
  };
  const rpc = (more: object) => JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ListTasks", ...more });

  const FAULTS: readonly (readonly [string, string, number, string | number | null])[] = [
    ["text that is no JSON", '{"jsonrpc": "2.0",', -32700, null],
    ["nothing", "", -32700, null],
    ["a batch", `[${rpc({})}]`, -32600, null],
    ["a string", '"ListTasks"', -32600, null],
    ["another version of JSON-RPC", rpc({ jsonrpc: "1.0" }), -32600, 7],
    ["no version of JSON-RPC", JSON.stringify({ id: "a", method: "ListTasks" }), -32600, "a"],
    ["an id that is an object", rpc({ id: {} }), -32600, null],
    ["no method", JSON.stringify({ jsonrpc: "2.0", id: 7 }), -32600, 7],
    ["a method that is a number", rpc({ method: 5 }), -32600, 7],
    ["a method that there is not", rpc({ method: "ReadMinds" }), -32601, 7],
    ["a method of another service", rpc({ method: "google.cloud.ces.v1.AgentService/GetApp" }), -32601, 7],
    ["a method that 0.3 does not have", rpc({ method: "minds/read" }), -32601, 7],
    ["a list of params", rpc({ params: [] }), -32602, 7],
    ["a field of another type", rpc({ params: { pageSize: "many" } }), -32602, 7],
    ["a state that there is not", rpc({ params: { status: "TASK_STATE_ASLEEP" } }), -32602, 7],
  ];
  for (const [what, body, code, id] of FAULTS) {
    it(`answers ${code} to ${what}`, async () => {
      const { response, json } = await post(body);
      assert.deepEqual([response.status, json.jsonrpc, json.id, json.error.code], [200, "2.0", id, code]);
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
      assert.ok(json.error.message.length > 0);
    });
  }

  it("gives the id back as it came", async () => {
    for (const id of ["text", 0, -3, 1.5]) assert.deepEqual((await post(rpc({ id }))).json.id, id);
  });

  it("ignores what it does not know", async () => {
    const message = { ...MESSAGE, tomorrow: true };
    const { json } = await post(rpc({ method: "SendMessage", params: { message, later: 5 } }));
    assert.equal(json.result.task.status.state, "TASK_STATE_COMPLETED");
  });

  it("refuses other types of content", async () => {
    assert.equal((await post(rpc({}), { "content-type": "text/plain" })).json.error.code, -32005);
    assert.equal((await post(rpc({}), { "content-type": "application/json; charset=utf-8" })).json.error, undefined);
  });

  it("names the reason and the domain of an error of the protocol", async () => {
    const { json } = await post(rpc({ method: "GetTask", params: { id: "gone" } }));
    const [info] = json.error.data;
    assert.deepEqual([info.reason, info.domain], ["TASK_NOT_FOUND", "a2a-protocol.org"]);
  });

  it("speaks the version that the caller names (A2A-3)", async () => {
    const versions = { "1.0": true, "1": true, "1.0.7": true, "": true, "0.3": false, "2.0": false, nonsense: false };
    for (const [version, served] of Object.entries(versions)) {
      const { json } = await post(rpc({}), { "a2a-version": version });
      assert.equal(json.error?.code, served ? undefined : -32009, version);
    }
    const old = rpc({ method: "tasks/get", params: { id: "gone" } });
    assert.equal((await post(old)).json.error.code, -32001);
    assert.equal((await post(old, { "a2a-version": "0.3.0" })).json.error.code, -32001);
    assert.equal((await post(old, { "a2a-version": "1.0" })).json.error.code, -32601);
    for (const version of ["0.2.5", "2.0", "nonsense"])
      assert.equal((await post(old, { "a2a-version": version })).json.error.code, -32009, version);
  });

  it("streams events of server-sent events", async () => {
    const response = await fetch(`${guide.server.address}/a2a/${APP}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: rpc({ method: "SendStreamingMessage", params: { message: MESSAGE } }),
    });
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    for (const line of (await response.text()).split(/\r\n/).filter(Boolean)) {
      assert.ok(line.startsWith("data: "), line);
      const { jsonrpc, id, result } = JSON.parse(line.slice(6));
      assert.deepEqual([jsonrpc, id, typeof result], ["2.0", 7, "object"]);
    }
  });
});

describe("HTTP+JSON", () => {
  const send = (path: string, init: RequestInit = {}) => fetch(`${guide.server.address}/a2a/${APP}${path}`, init);

  it("answers in the protocol's media type", async () => {
    const body = JSON.stringify({ message: MESSAGE });
    for (const type of ["application/a2a+json", "application/json"]) {
      const response = await send("/message:send", { method: "POST", headers: { "content-type": type }, body });
      assert.equal(response.status, 200);
      assert.match(response.headers.get("content-type") ?? "", /^application\/a2a\+json/);
    }
  });

  it("has errors in the form of AIP-193", async () => {
    const response = await send("/tasks/gone");
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
    const { error } = (await response.json()) as any;
    assert.deepEqual([response.status, error.code, error.status], [404, 404, "NOT_FOUND"]);
    assert.deepEqual(error.details[0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
  });

  it("takes the version as a parameter of the address", async () => {
    assert.equal((await send("/tasks?A2A-Version=1.0&pageSize=1")).status, 200);
    assert.equal((await send("/tasks?A2A-Version=9.0")).status, 400);
  });

  it("knows no other paths", async () => {
    for (const path of ["/tasks/a:forget", "/minds", "/message:receive"])
      assert.equal((await send(path)).status, 404, path);
  });
});
