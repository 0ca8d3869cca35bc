import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DescMessage, fromJson } from "@bufbuild/protobuf";
import {
  AgentCardSchema,
  ListTasksResponseSchema,
  SendMessageResponseSchema,
  StreamResponseSchema,
  TaskSchema,
} from "@frontdesk/protos/a2a/a2a";
import type { JsonValue } from "#base";
import type { TestServer } from "#testing";
import { KIT, startKitServer } from "./kit-server.ts";
import { eventsIn } from "./wires.ts";

let server: TestServer;
before(async () => {
  server = await startKitServer({ cards: "1.0" });
});
after(() => server[Symbol.asyncDispose]());

const message = (scenario: string) => ({
  role: "ROLE_USER",
  parts: [{ text: "Hello" }],
  messageId: `tck-${scenario}-1`,
});

/** A request as the kit's clients write it: the body, if any, says that it is JSON, and so does a request without one. */
async function rest(verb: string, path: string, body?: object, headers: Record<string, string> = {}) {
  return fetch(`${server.address}/a2a${path}`, {
    method: verb,
    headers: { "a2a-version": "1.0", ...(verb === "POST" && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
const jsonOf = async (response: Response | Promise<Response>): Promise<any> => (await response).json();

/** The kit's client adds a slash to the address of the card. */
async function rpc(method: string, params: object, headers: Record<string, string> = {}) {
  const url = `${server.address}/a2a/`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
    body,
  });
}

/** The schemas of 1.0 allow no members but the fields of the definitions. */
function assertFits(type: DescMessage, json: JsonValue): void {
  assert.doesNotThrow(() => fromJson(type, json), JSON.stringify(json).slice(0, 2_000));
}

describe("what the compatibility kit reads", () => {
  it("CARD-STRUCT-001, CARD-PROTO-002: the card has the fields of 1.0, the required ones all, and no others", async () => {
    const response = await fetch(`${server.address}/.well-known/agent-card.json`);
    const card = await jsonOf(response);
    assertFits(AgentCardSchema, card);
    const required = ["name", "description", "version", "capabilities", "skills", "supportedInterfaces"];
    for (const name of [...required, "defaultInputModes", "defaultOutputModes"]) assert.ok(name in card, name);
    assert.match(response.headers.get("cache-control") ?? "", /max-age/);
    assert.ok(response.headers.get("etag"));
  });

  it("CARD-STRUCT-001: readers of 0.3 that say so get a card of 0.3 nevertheless", async () => {
    const url = `${server.address}/a2a/${KIT}/.well-known/agent-card.json`;
    const card = await jsonOf(fetch(url, { headers: { "a2a-version": "0.3" } }));
    assert.deepEqual([card.protocolVersion, card.supportedInterfaces], ["0.3", undefined]);
  });

  it("DM-TASK, DM-MSG, DM-PART, DM-STATUS, DM-SERIAL: answers have the fields of the definitions, in camel case", async () => {
    for (const scenario of ["complete-task", "input-required", "message-response", "artifact-file", "artifact-data"]) {
      const { result } = await jsonOf(rpc("SendMessage", { message: message(scenario) }));
      assertFits(SendMessageResponseSchema, result);
      assertFits(
        SendMessageResponseSchema,
        await jsonOf(rest("POST", "/message:send", { message: message(scenario) })),
      );
      assert.doesNotMatch(JSON.stringify(result), /"[a-z]+_[a-z]+":/);
    }
    const { result } = await jsonOf(
      rpc("ListTasks", { context_id: "tck-none", page_size: 2, include_artifacts: false }),
    );
    assertFits(ListTasksResponseSchema, result);
    assert.deepEqual(result, { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 });
  });

  it("JSONRPC-SSE-001, HTTP_JSON-SSE-001: streams are events of the definitions, each an answer to the request", async () => {
    const called = await rpc("SendStreamingMessage", { message: message("stream-001") });
    assert.match(called.headers.get("content-type") ?? "", /^text\/event-stream/);
    for await (const event of eventsIn(called)) {
      assert.deepEqual([event.jsonrpc, event.id], ["2.0", 1]);
      assertFits(StreamResponseSchema, event.result as JsonValue);
    }
    const sent = await rest("POST", "/message:stream", { message: message("stream-001") });
    assert.match(sent.headers.get("content-type") ?? "", /^text\/event-stream/);
    for await (const event of eventsIn(sent)) assertFits(StreamResponseSchema, event);
  });
});

describe("how the compatibility kit writes", () => {
  it("HTTP_JSON-URL-002: a POST without a body cancels a task, and subscribes to one", async () => {
    const { task } = await jsonOf(rest("POST", "/message:send", { message: message("input-required") }));
    const subscribed = await rest("POST", `/tasks/${task.id}:subscribe`, undefined, { accept: "text/event-stream" });
    const canceled = await jsonOf(rest("POST", `/tasks/${task.id}:cancel`));
    assertFits(TaskSchema, canceled);
    assert.equal(canceled.status.state, "TASK_STATE_CANCELED");
    const states: unknown[] = [];
    for await (const event of eventsIn(subscribed)) states.push(Object.keys(event)[0]);
    assert.deepEqual(states, ["task", "statusUpdate"]);
  });

  it("HTTP_JSON-QP-001: queries are in camel case, and flags are words", async () => {
    const query = "contextId=tck-none&pageSize=2&historyLength=0&includeArtifacts=false";
    assert.deepEqual((await jsonOf(rest("GET", `/tasks?${query}`))).tasks, []);
  });

  it("CORE-CAP-004, JSONRPC-SVC-002, HTTP_JSON-SVC-002: extensions that nobody requires are ignored", async () => {
    const extensions = { "a2a-extensions": "https://example.com/ext/v1,https://example.com/ext/v2" };
    const params = { message: message("complete-task") };
    assert.ok((await jsonOf(rpc("SendMessage", params, extensions))).result.task);
    assert.ok((await jsonOf(rest("POST", "/message:send", params, extensions))).task);
  });

  const UNSUPPORTED = "CONTENT_TYPE_NOT_SUPPORTED";
  it("HTTP_JSON-STATUS-001, JSONRPC-SSE-002: a body of another type is refused as such", async () => {
    const params = { message: message("complete-task") };
    const other = { "content-type": "text/plain" };
    const sent = await rest("POST", "/message:send", params, other);
    const { error } = await jsonOf(sent);
    assert.deepEqual([sent.status, error.code, error.details[0].reason], [400, 400, UNSUPPORTED]);
    const { error: fault } = await jsonOf(rpc("SendMessage", params, other));
    assert.deepEqual([fault.code, fault.data[0].reason], [-32005, UNSUPPORTED]);
  });

  it("CORE-ERR-002: a request without a message is refused", async () => {
    assert.equal((await rest("POST", "/message:send", {})).status, 400);
    assert.equal((await jsonOf(rpc("SendMessage", {}))).error.code, -32602);
  });

  it("JSONRPC-SVC-001: fields may be in snake case", async () => {
    const { task } = (await jsonOf(rpc("SendMessage", { message: message("input-required") }))).result;
    const read = await jsonOf(rpc("GetTask", { id: task.id, history_length: 0 }));
    assert.deepEqual([read.result.id, read.result.history], [task.id, undefined]);
    const config = { id: "tck-push", url: "https://example.com/tck-push-webhook" };
    const created = await jsonOf(rpc("CreateTaskPushNotificationConfig", { task_id: task.id, ...config }));
    assert.deepEqual(created.result, { taskId: task.id, ...config });
    const removed = await jsonOf(rpc("DeleteTaskPushNotificationConfig", { task_id: task.id, id: config.id }));
    assert.ok(!("error" in removed) && "result" in removed);
  });

  it("CARD-EXT-001: the extended card is there where the card says so", async () => {
    assertFits(AgentCardSchema, await jsonOf(rest("GET", "/extendedAgentCard")));
    assertFits(AgentCardSchema, (await jsonOf(rpc("GetExtendedAgentCard", {}))).result);
  });
});

/** The kit of version 0.3 goes on with its tasks: they wait for input. */
describe("the compatibility kit of version 0.3", () => {
  const call = async (method: string, params: object) => jsonOf(rpc(method, params, { "a2a-version": "" }));
  const said = (more: object = {}) => ({
    message: {
      kind: "message",
      messageId: "test-text-1",
      role: "user",
      parts: [{ kind: "text", text: "Hi" }],
      ...more,
    },
  });
  const begun = async () => (await call("message/send", said())).result;

  it("sends, goes on, reads with a limit, and cancels once", async () => {
    const { id, contextId, kind, status } = await begun();
    assert.deepEqual([kind, status.state], ["task", "input-required"]);
    for (const more of [{ taskId: id }, { taskId: id, contextId }])
      assert.deepEqual((await call("message/send", said(more))).result.id, id);
    const { history } = (await call("tasks/get", { id, historyLength: 2 })).result;
    assert.equal(history.length, 2);
    assert.equal((await call("tasks/cancel", { id })).result.status.state, "canceled");
    assert.equal((await call("tasks/cancel", { id })).error.code, -32002);
  });

  const FAULTS: readonly (readonly [what: string, method: string, params: object, code: number])[] = [
    ["a task that there is not", "tasks/get", { id: "nonexistent-task-id" }, -32001],
    ["cancelling one", "tasks/cancel", { id: "nonexistent-task-id" }, -32001],
    ["following one", "tasks/resubscribe", { id: "nonexistent-task-id" }, -32001],
    ["going on with one", "message/send", said({ taskId: "nonexistent-task-id" }), -32001],
    ["a message of nothing", "message/send", { message: { kind: "message" } }, -32602],
    ["parts that are none", "message/send", { message: { parts: "invalid" } }, -32602],
    ["a stream of nothing", "message/stream", { invalid: "params" }, -32602],
    ["an empty request", "message/send", {}, -32602],
    ["a method that there is not", "nonexistent/method", {}, -32601],
    ["a config of a task that there is not", "tasks/pushNotificationConfig/get", { id: "nonexistent-task-id" }, -32001],
  ];
  for (const [what, method, params, code] of FAULTS) {
    it(`is refused ${code}: ${what}`, async () => {
      assert.equal((await call(method, params)).error.code, code);
    });
  }

  it("sets, reads, lists and deletes the push config of a task", async () => {
    const { id } = await begun();
    const url = "https://example.com/webhook";
    assert.deepEqual((await call("tasks/pushNotificationConfig/list", { id })).result, []);
    const set = await call("tasks/pushNotificationConfig/set", { taskId: id, pushNotificationConfig: { url } });
    assert.equal(set.result.pushNotificationConfig.url, url);
    const got = await call("tasks/pushNotificationConfig/get", { id });
    assert.equal(got.result.pushNotificationConfig.url, url);
    const [listed] = (await call("tasks/pushNotificationConfig/list", { id })).result;
    assert.deepEqual([listed.taskId, listed.pushNotificationConfig.url], [id, url]);
    const pushNotificationConfigId = set.result.pushNotificationConfig.id;
    const removed = await call("tasks/pushNotificationConfig/delete", { id, pushNotificationConfigId });
    assert.equal(removed.result, null);
  });

  it("streams", async () => {
    const response = await rpc("message/stream", said(), { "a2a-version": "" });
    const kinds: unknown[] = [];
    for await (const { result } of eventsIn(response)) kinds.push((result as { readonly kind: string }).kind);
    assert.deepEqual([kinds[0], kinds.at(-1)], ["task", "status-update"]);
  });

  const PARTS: readonly object[] = [
    { kind: "file", file: { name: "test.txt", mimeType: "text/plain", uri: "https://example.com/test.txt" } },
    { kind: "file", file: { name: "test.txt", mimeType: "text/plain", bytes: "dGNr" } },
    { kind: "data", data: { key: "value", nested: { array: [1, 2, 3] } } },
  ];
  it("sends files and data", async () => {
    for (const part of PARTS)
      assert.equal((await call("message/send", said({ parts: [part] }))).result.kind, "task", JSON.stringify(part));
  });
});
