import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { fromJson } from "@bufbuild/protobuf";
import { StreamResponseSchema } from "@frontdesk/protos/a2a/a2a";
import { definedFields } from "#base";
import type { TestServer } from "#testing";
import { type EchoServer, startEchoServer } from "../tools/echo-server.ts";
import { startKitServer } from "./kit-server.ts";
import { type Answer, type StreamFault, type Wire, wiresTo } from "./wires.ts";

let server: TestServer;
let webhook: EchoServer;
let wires: readonly Wire[];
before(async () => {
  webhook = await startEchoServer();
  server = await startKitServer();
  wires = wiresTo(server.address, "");
});
after(async () => {
  for (const wire of wires) wire.close();
  await server[Symbol.asyncDispose]();
  await webhook[Symbol.asyncDispose]();
});

/** A requirement of the compatibility kit, by its id there, for each binding. */
function requires(id: string, what: string, holds: (wire: Wire) => Promise<void>): void {
  for (const [index, name] of ["JSON-RPC", "HTTP+JSON", "gRPC"].entries()) {
    it(`${id} ${what}, by ${name}`, () => holds(wires[index] as Wire));
  }
}

function messageOf(scenario: string, more: object = {}) {
  return { role: "ROLE_USER", parts: [{ text: "Hello" }], messageId: `tck-${scenario}-${SESSION}`, ...more };
}

/** The kit uses one id for all messages of a scenario. */
const SESSION = randomUUID().slice(0, 8);

async function taskOf(wire: Wire, scenario: string, more: object = {}, configuration?: object) {
  const { value, fault } = await wire.call("sendMessage", {
    message: messageOf(scenario, more),
    ...definedFields({ configuration }),
  });
  assert.equal(fault, undefined);
  return value.task;
}

const CODES: Readonly<Record<string, Readonly<Record<Wire["name"], number>>>> = {
  TASK_NOT_FOUND: { "JSON-RPC": -32001, "HTTP+JSON": 404, gRPC: 5 },
  TASK_NOT_CANCELABLE: { "JSON-RPC": -32002, "HTTP+JSON": 400, gRPC: 9 },
  UNSUPPORTED_OPERATION: { "JSON-RPC": -32004, "HTTP+JSON": 400, gRPC: 9 },
  CONTENT_TYPE_NOT_SUPPORTED: { "JSON-RPC": -32005, "HTTP+JSON": 400, gRPC: 3 },
  VERSION_NOT_SUPPORTED: { "JSON-RPC": -32009, "HTTP+JSON": 400, gRPC: 9 },
};

/** The error has the code of its binding, and the reason of the protocol (A2A-7). */
function refused({ name }: Wire, reason: string, { fault }: Answer): void {
  assert.deepEqual({ code: fault?.code, reason: fault?.reason }, { code: CODES[reason]?.[name], reason });
}

async function eventsOf(stream: AsyncIterable<object>) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  const events: any[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("tasks of the compatibility kit", () => {
  requires("CORE-SEND-001", "answers with a task", async (wire) => {
    const task = await taskOf(wire, "complete-task");
    assert.equal(task.status.state, "TASK_STATE_COMPLETED");
    assert.match(task.status.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    assert.ok(task.id && task.contextId);
    assert.equal(task.artifacts[0].parts[0].text, "Hello from TCK");
  });

  requires("DM-MSG-001", "can answer with a message, of which there is no task (A2A-20)", async (wire) => {
    const contextId = `tck-message-context-${wire.name}`;
    const message = messageOf("message-response", { contextId });
    const { task, message: answer } = (await wire.call("sendMessage", { message })).value;
    assert.deepEqual([task, answer.role, answer.contextId], [undefined, "ROLE_AGENT", contextId]);
    assert.deepEqual(
      answer.parts.map(({ text }: { readonly text: string }) => text),
      ["Direct message response"],
    );
    assert.deepEqual((await wire.call("listTasks", { contextId })).value.tasks ?? [], []);
    const configuration = { returnImmediately: true };
    assert.ok((await wire.call("sendMessage", { message, configuration })).value.task.id);
  });

  requires("CORE-SEND-002", "refuses messages for tasks that have ended", async (wire) => {
    const { id } = await taskOf(wire, "complete-task");
    refused(
      wire,
      "UNSUPPORTED_OPERATION",
      await wire.call("sendMessage", { message: messageOf("terminal", { taskId: id }) }),
    );
  });

  requires("CORE-SEND-003", "refuses files that it cannot read", async (wire) => {
    const parts = [{ raw: "dGNr", mediaType: "application/x-unsupported-tck-type" }];
    refused(
      wire,
      "CONTENT_TYPE_NOT_SUPPORTED",
      await wire.call("sendMessage", { message: messageOf("send-003", { parts }) }),
    );
  });

  requires("CORE-GET-001", "gives tasks", async (wire) => {
    const task = await taskOf(wire, "complete-task");
    assert.deepEqual((await wire.call("getTask", { id: task.id })).value, task);
  });

  requires("CORE-GET-002, CORE-CANCEL-003, CORE-MULTI-004", "does not find what there is not", async (wire) => {
    refused(wire, "TASK_NOT_FOUND", await wire.call("getTask", { id: "tck-nonexistent" }));
    refused(wire, "TASK_NOT_FOUND", await wire.call("cancelTask", { id: "tck-nonexistent" }));
    const message = messageOf("multi-004", { taskId: "tck-nonexistent" });
    refused(wire, "TASK_NOT_FOUND", await wire.call("sendMessage", { message }));
  });

  requires("CORE-CANCEL-001", "cancels tasks that wait", async (wire) => {
    const { id } = await taskOf(wire, "input-required");
    const { value } = await wire.call("cancelTask", { id });
    assert.deepEqual([value.id, value.status.state], [id, "TASK_STATE_CANCELED"]);
  });

  requires("CORE-CANCEL-002", "does not cancel tasks that have ended", async (wire) => {
    const { id } = await taskOf(wire, "complete-task");
    refused(wire, "TASK_NOT_CANCELABLE", await wire.call("cancelTask", { id }));
  });

  requires("CORE-MULTI-001a, CORE-MULTI-002", "gives contexts, and keeps those of clients", async (wire) => {
    assert.ok((await taskOf(wire, "complete-task")).contextId);
    const contextId = `tck-client-context-001-${wire.name}`;
    assert.equal((await taskOf(wire, "complete-task", { contextId })).contextId, contextId);
  });

  requires("CORE-MULTI-003", "gives each task an id", async (wire) => {
    assert.notEqual((await taskOf(wire, "complete-task")).id, (await taskOf(wire, "complete-task")).id);
  });

  requires("CORE-MULTI-005", "finds the context by the task", async (wire) => {
    const { id: taskId, contextId } = await taskOf(wire, "input-required");
    const done = await taskOf(wire, "complete-task", { taskId });
    assert.deepEqual([done.id, done.contextId, done.status.state], [taskId, contextId, "TASK_STATE_COMPLETED"]);
  });

  requires("CORE-MULTI-006", "refuses a context that is not the task's", async (wire) => {
    const { id: taskId } = await taskOf(wire, "input-required");
    const { fault } = await wire.call("sendMessage", {
      message: messageOf("mismatch", { taskId, contextId: "tck-wrong-context" }),
    });
    assert.match(fault?.message ?? "", /context_id/);
  });

  requires("AUTH-INTASK-002", "can wait for authorization (A2A-6)", async (wire) => {
    const { id, status } = await taskOf(wire, "auth-required");
    assert.equal(status.state, "TASK_STATE_AUTH_REQUIRED");
    assert.equal(status.message.parts[0].text, "Please sign in first.");
    assert.equal((await wire.call("getTask", { id })).value.status.state, "TASK_STATE_AUTH_REQUIRED");
  });

  requires("reject-task", "can reject", async (wire) => {
    assert.equal((await taskOf(wire, "reject-task")).status.state, "TASK_STATE_REJECTED");
  });

  requires("CORE-EXECUTION-MODE-002", "returns at once when it is asked to", async (wire) => {
    const task = await taskOf(wire, "complete-task", {}, { returnImmediately: true });
    assert.match(task.status.state, /SUBMITTED|WORKING/);
    const events = await eventsOf(wire.stream("subscribeToTask", { id: task.id })).catch((error: StreamFault) =>
      refused(wire, "UNSUPPORTED_OPERATION", error.answer),
    );
    if (events) assert.equal(events.at(-1).statusUpdate.status.state, "TASK_STATE_COMPLETED");
    const { value } = await wire.call("getTask", { id: task.id });
    assert.equal(value.status.state, "TASK_STATE_COMPLETED");
  });

  const ARTIFACTS = {
    "artifact-text": { text: "Generated text content", mediaType: "text/plain" },
    "artifact-file": { raw: "dGNr", filename: "output.txt", mediaType: "text/plain" },
    "artifact-file-url": { url: "https://example.com/output.txt", filename: "output.txt", mediaType: "text/plain" },
    "artifact-data": { data: { key: "value", count: 42 }, mediaType: "application/json" },
  };
  requires("DM-ART-001, DM-PART-001", "answers with all kinds of parts", async (wire) => {
    for (const [scenario, part] of Object.entries(ARTIFACTS)) {
      const { artifacts } = await taskOf(wire, scenario);
      assert.deepEqual(artifacts[0].parts, [part]);
      assert.ok(artifacts[0].artifactId);
    }
  });

  requires(
    "CORE-HIST-001, 002, 003, 005, 006",
    "keeps the messages, and tells as many as are asked for",
    async (wire) => {
      const { id: taskId } = await taskOf(wire, "input-required", { parts: [{ text: "First" }] });
      const { history } = await taskOf(wire, "complete-task", { taskId, parts: [{ text: "Second" }] });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
      const texts = (messages: any[] = []) => messages.map(({ parts }) => parts[0].text);
      assert.deepEqual(texts(history), ["First", "Which one do you mean?", "Second"]);
      const lengths = [0, 1, 2, 100].map(async (historyLength) => {
        const { value } = await wire.call("getTask", { id: taskId, historyLength });
        return value.history?.length ?? 0;
      });
      assert.deepEqual(await Promise.all(lengths), [0, 1, 2, 3]);
      assert.equal((await taskOf(wire, "complete-task", {}, { historyLength: 0 })).history, undefined);
    },
  );

  requires("VER-SERVER-002", "refuses versions that it does not speak (A2A-3)", async (wire) => {
    refused(wire, "VERSION_NOT_SUPPORTED", await wire.call("listTasks", {}, { "a2a-version": "99.0" }));
  });
});

describe("lists of the compatibility kit", () => {
  requires("CORE-LIST-001 to 005", "lists tasks by page, the latest first", async (wire) => {
    const contextId = `tck-list-context-${wire.name}`;
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await taskOf(wire, "complete-task", { contextId })).id);
    const first = (await wire.call("listTasks", { contextId, pageSize: 2 })).value;
    const second = (await wire.call("listTasks", { contextId, pageSize: 2, pageToken: first.nextPageToken })).value;
    const tasks = [...first.tasks, ...second.tasks];
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ids,
    );
    assert.deepEqual([first.totalSize, first.pageSize, second.pageSize], [3, 2, 1]);
    assert.equal(wire.name === "gRPC" ? (second.nextPageToken ?? "") : second.nextPageToken, "");
    assert.ok(tasks.every((task) => !("artifacts" in task)));
    const { value } = await wire.call("listTasks", { contextId, includeArtifacts: true });
    assert.equal(value.tasks[0].artifacts.length, 1);
  });

  requires("CORE-LIST-001", "lists nothing of a context that there is not", async (wire) => {
    const { value } = await wire.call("listTasks", { contextId: "tck-test-context", includeArtifacts: false });
    assert.deepEqual([value.tasks ?? [], value.totalSize ?? 0, value.nextPageToken ?? ""], [[], 0, ""]);
  });

  requires("CORE-LIST", "filters by state and time, and refuses what is out of range", async (wire) => {
    const contextId = `tck-filter-context-${wire.name}`;
    const waiting = await taskOf(wire, "input-required", { contextId });
    const done = await taskOf(wire, "complete-task", { contextId });
    const idsOf = async (filter: object) => {
      const { value } = await wire.call("listTasks", { contextId, ...filter });
      return (value.tasks ?? []).map(({ id }: { readonly id: string }) => id);
    };
    assert.deepEqual(await idsOf({ status: "TASK_STATE_INPUT_REQUIRED" }), [waiting.id]);
    assert.deepEqual(await idsOf({ statusTimestampAfter: done.status.timestamp }), [done.id]);
    for (const pageSize of [-1, 101]) {
      const { fault } = await wire.call("listTasks", { pageSize });
      assert.match(fault?.message ?? "", /page_size/);
    }
    assert.ok((await wire.call("listTasks", { pageToken: "nonsense" })).fault);
  });
});

describe("streams of the compatibility kit", () => {
  requires(
    "CORE-STREAM-001, 003, STREAM-ORDER-001",
    "begin with the task and end with its last state",
    async (wire) => {
      const events = await eventsOf(wire.stream("sendStreamingMessage", { message: messageOf("stream-003") }));
      assert.deepEqual(
        events.map((event) => Object.keys(event)[0]),
        ["task", "artifactUpdate", "statusUpdate"],
      );
      assert.equal(events[1].artifactUpdate.artifact.parts[0].text, "Stream task lifecycle");
      assert.equal(events[2].statusUpdate.status.state, "TASK_STATE_COMPLETED");
    },
  );

  requires("STREAM-SUB-004", "are not to be had of tasks that there are not", async (wire) => {
    await assert.rejects(eventsOf(wire.stream("subscribeToTask", { id: "tck-none" })), (error: StreamFault) => {
      refused(wire, "TASK_NOT_FOUND", error.answer);
      return true;
    });
  });

  requires("STREAM-SUB-003", "are not to be had of tasks that have ended", async (wire) => {
    const { id } = await taskOf(wire, "complete-task");
    await assert.rejects(eventsOf(wire.stream("subscribeToTask", { id })), (error: StreamFault) => {
      refused(wire, "UNSUPPORTED_OPERATION", error.answer);
      return true;
    });
  });

  requires(
    "STREAM-SUB-001, 002, STREAM-ORDER-002 to 004",
    "of one task tell all readers the same, until it ends",
    async (wire) => {
      const { id } = await taskOf(wire, "input-required");
      const streams = [1, 2, 3].map(() => wire.stream("subscribeToTask", { id }));
      const first = await Promise.all(streams.map((stream) => stream.next()));
      assert.deepEqual(
        first.map(({ value }) => Object.keys(value ?? {})[0]),
        ["task", "task", "task"],
      );
      await streams[0]?.return();
      await taskOf(wire, "complete-task", { taskId: id });
      const [second, third] = await Promise.all(streams.slice(1).map(eventsOf));
      assert.deepEqual(second, third);
      assert.equal(second?.at(-1).statusUpdate.status.state, "TASK_STATE_COMPLETED");
    },
  );
});

describe("push notifications of the compatibility kit", () => {
  const config = { id: `tck-push-${SESSION}`, url: "https://example.com/tck-push-webhook" };

  requires("PUSH-CREATE, PUSH-GET, PUSH-LIST, PUSH-DEL", "configs come and go", async (wire) => {
    const { id: taskId } = await taskOf(wire, "complete-task");
    const created = await wire.call("createTaskPushNotificationConfig", { ...config, taskId });
    assert.deepEqual(created.value, { ...config, taskId });
    assert.deepEqual(
      (await wire.call("getTaskPushNotificationConfig", { taskId, id: config.id })).value,
      created.value,
    );
    const { value } = await wire.call("listTaskPushNotificationConfigs", { taskId });
    assert.deepEqual(value.configs, [created.value]);
    for (let time = 0; time < 2; time += 1) {
      const { fault } = await wire.call("deleteTaskPushNotificationConfig", { taskId, id: config.id });
      assert.equal(fault, undefined);
    }
    refused(wire, "TASK_NOT_FOUND", await wire.call("getTaskPushNotificationConfig", { taskId, id: config.id }));
  });

  requires("PUSH-DELIVER-001 to 003", "are sent with the client's credentials", async (wire) => {
    const url = `${webhook.url}/${encodeURIComponent(wire.name)}`;
    const authentication = { scheme: "Bearer", credentials: "tck-test-token" };
    const taskPushNotificationConfig = { ...config, url, token: "the-token", authentication };
    const { id: taskId } = await taskOf(wire, "input-required", {}, { taskPushNotificationConfig });
    await taskOf(wire, "complete-task", { taskId });
    const last = await arrived(url, (body) => body.task?.status.state === "TASK_STATE_COMPLETED");
    assert.equal(last.headers.authorization, "Bearer tck-test-token");
    assert.equal(last.headers["x-a2a-notification-token"], "the-token");
    assert.equal(JSON.parse(last.body).task.id, taskId);
    for (const { url: path, body } of webhook.requests)
      if (url.endsWith(path)) assert.doesNotThrow(() => fromJson(StreamResponseSchema, JSON.parse(body)), body);
  });
});

/** The first request to a webhook with a body of a kind; waits for it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
async function arrived(url: string, wanted: (body: any) => boolean) {
  const path = new URL(url).pathname;
  for (;;) {
    const found = webhook.requests.find((request) => request.url === path && wanted(JSON.parse(request.body)));
    if (found) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
