import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";
import { type StreamFault, type Wire, wiresTo } from "./wires.ts";

let guide: AgentServer;
let wire: Wire;
before(async () => {
  guide = await startAgentServer();
  wire = wiresTo(guide.server.address, APP)[0] as Wire;
});
after(() => guide[Symbol.asyncDispose]());

const requestOf = (text: string, more: object = {}, rest: object = {}) => ({
  message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }], ...more },
  ...rest,
});

async function send(text: string, more: object = {}, rest: object = {}) {
  const { value, fault } = await wire.call("sendMessage", requestOf(text, more, rest));
  assert.equal(fault, undefined);
  return value.task;
}

const get = async (id: string) => (await wire.call("getTask", { id })).value;

/** The task, once it is in a state and has answered as often. */
async function settled(id: string, state: string, answers = 0) {
  for (;;) {
    const task = await get(id);
    if (task.status.state === state && (task.artifacts?.length ?? 0) >= answers) return task;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function eventsOf(stream: AsyncIterable<object>) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  const events: any[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
const textsIn = (parts: any[] = []) => parts.map(({ text }) => text).join("");
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
const answerIn = ({ artifacts = [] }: any) => artifacts.map(({ parts }: any) => textsIn(parts));

describe("a task with a tool that runs on", () => {
  it("works until the tool has answered, and its client waits for that", async () => {
    const sent = send("call press_getReport");
    const { tasks } = await firstTasks();
    const task = await settled(tasks[0].id, "TASK_STATE_WORKING");
    await guide.releaseReport();
    const done = await sent;
    assert.equal(done.id, task.id);
    assert.equal(done.status.state, "TASK_STATE_COMPLETED");
    assert.match(answerIn(done).at(-1), /"pages": 3/);
  });

  it("is told of by its stream to the end", async () => {
    const stream = wire.stream("sendStreamingMessage", requestOf("call press_getReport"));
    const released = guide.releaseReport();
    const last = (await eventsOf(stream)).at(-1);
    await released;
    assert.equal(last.statusUpdate.status.state, "TASK_STATE_COMPLETED");
  });

  it("can be canceled meanwhile", async () => {
    const { id } = await send("call press_getReport", {}, { configuration: { returnImmediately: true } });
    await settled(id, "TASK_STATE_WORKING", 1);
    const { value } = await wire.call("cancelTask", { id });
    assert.equal(value.status.state, "TASK_STATE_CANCELED");
    await guide.releaseReport();
    assert.equal((await get(id)).status.state, "TASK_STATE_CANCELED");
  });

  async function firstTasks() {
    for (;;) {
      const { value } = await wire.call("listTasks", { status: "TASK_STATE_WORKING" });
      if (value.tasks.length > 0) return value;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

describe("a task whose turn goes on", () => {
  it("can be canceled, and leaves no trace in its conversation", async () => {
    const { contextId } = await send("say Before.");
    const { id } = await send("wait Too late.", { contextId }, { configuration: { returnImmediately: true } });
    await guide.model.waits;
    const stream = eventsOf(wire.stream("subscribeToTask", { id }));
    const { value } = await wire.call("cancelTask", { id });
    assert.equal(value.status.state, "TASK_STATE_CANCELED");
    assert.equal((await stream).at(-1).statusUpdate.status.state, "TASK_STATE_CANCELED");
    assert.equal((await guide.send("GET", `${APP}/conversations/${contextId}`)).turnCount, 1);
    guide.model.release();
    assert.match(answerIn(await send("say After.", { contextId })).join(), /After/);
  });

  it("takes no other message", async () => {
    const { id } = await send("wait Done.", {}, { configuration: { returnImmediately: true } });
    await guide.model.waits;
    const { fault } = await wire.call("sendMessage", requestOf("Hello", { taskId: id }));
    assert.match(fault?.message ?? "", /still working/);
    guide.model.release();
    assert.deepEqual(answerIn(await settled(id, "TASK_STATE_COMPLETED")), ["One moment. Done."]);
  });

  it("makes the next message of its context wait", async () => {
    const first = await send("wait First.", {}, { configuration: { returnImmediately: true } });
    await guide.model.waits;
    const { contextId } = first;
    const second = await send("say Second.", { contextId }, { configuration: { returnImmediately: true } });
    assert.equal((await get(second.id)).status.state, "TASK_STATE_SUBMITTED");
    guide.model.release();
    const done = await settled(second.id, "TASK_STATE_COMPLETED");
    assert.deepEqual(answerIn(done), ["Second."]);
    assert.equal((await guide.send("GET", `${APP}/conversations/${contextId}`)).turnCount, 2);
  });

  it("goes on when its client leaves", async () => {
    const stream = wire.stream("sendStreamingMessage", requestOf("wait Still here."));
    // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
    const { id } = ((await stream.next()).value as any).task;
    await guide.model.waits;
    await stream.return();
    guide.model.release();
    assert.deepEqual(answerIn(await settled(id, "TASK_STATE_COMPLETED")), ["One moment. Still here."]);
  });
});

describe("what goes wrong in a task", () => {
  it("fails it, and says no more than end users may read", async () => {
    const { status, contextId } = await send("fail");
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.doesNotMatch(textsIn(status.message.parts), /TypeError|the model is broken/);
    assert.equal((await send("say Back again.", { contextId })).status.state, "TASK_STATE_COMPLETED");
  });

  it("rejects a message that waited until its conversation had ended", async () => {
    const later = { configuration: { returnImmediately: true } };
    const { id: first, contextId } = await send("wait First.", {}, later);
    await guide.model.waits;
    const ending = await send("end it", { contextId }, later);
    const late = await send("say Too late.", { contextId }, later);
    guide.model.release();
    const { status } = await settled(late.id, "TASK_STATE_REJECTED");
    assert.match(textsIn(status.message.parts), /ended/);
    assert.equal((await get(ending.id)).status.state, "TASK_STATE_COMPLETED");
    assert.equal((await get(first)).status.state, "TASK_STATE_COMPLETED");
  });
});

describe("answers to calls of the client's tools (A2A-10)", () => {
  const responses = (...ids: readonly string[]) => [
    { data: { toolResponses: ids.map((id) => ({ id, response: { shown: true } })) } },
  ];

  it("may be words, which take the call back", async () => {
    const { id, status } = await send("call show_map");
    assert.equal(status.state, "TASK_STATE_INPUT_REQUIRED");
    const done = await send("say Never mind.", { taskId: id });
    assert.equal(done.status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(answerIn(done), ["Never mind."]);
  });

  it("are waited for when the function is asynchronous, too (TOOL-52)", async () => {
    const tool = `${APP}/tools/show-map?updateMask=executionType`;
    await guide.send("PATCH", tool, { executionType: "ASYNCHRONOUS" });
    const { id, status } = await send("call show_map");
    await guide.send("PATCH", tool, { executionType: "SYNCHRONOUS" });
    assert.equal(status.state, "TASK_STATE_INPUT_REQUIRED");
    const [call] = status.message.parts.at(-1).data.toolCalls;
    const done = await send("", { taskId: id, parts: responses(call.id) });
    assert.deepEqual(answerIn(done), ['show_map: {"shown":true}']);
  });

  it("are data when they name no call that waits", async () => {
    const { id } = await send("call show_map");
    const done = await send("", { taskId: id, parts: responses("call-of-another") });
    assert.match(answerIn(done).at(-1), /You said: \{"toolResponses"/);
  });

  it("may come when words took the call back, as a late result (TOOL-46)", async () => {
    const { id, contextId, status } = await send("call show_map");
    const [call] = status.message.parts.at(-1).data.toolCalls;
    await send("say Never mind.", { taskId: id });
    const late = await send("", { contextId, parts: responses(call.id) });
    assert.equal(late.status.state, "TASK_STATE_COMPLETED");
    const told = JSON.stringify(guide.model.requests.at(-1)?.messages.at(-1));
    assert.match(told, /<context>function \[show_map\] completed with response/);
  });

  it("may come in another task of the context", async () => {
    const { contextId, status } = await send("call show_map");
    const [call] = status.message.parts.at(-1).data.toolCalls;
    const done = await send("", { contextId, parts: responses(call.id) });
    assert.deepEqual(answerIn(done), ['show_map: {"shown":true}']);
  });
});

describe("variables (A2A-9, A2A-11)", () => {
  const lastSystem = () => guide.model.requests.at(-1)?.system ?? "";

  it("go in as metadata of the message or of the request", async () => {
    const { contextId } = await send("say Hello.", { metadata: { city: "Rome", unknown: 1 } });
    assert.match(lastSystem(), /The city is Rome\./);
    await send("say Hello.", { contextId }, { metadata: { city: "Oslo" } });
    assert.match(lastSystem(), /The city is Oslo\./);
  });

  it("come out to clients that ask for them", async () => {
    const uri = "urn:frontdesk:a2a:variables:v1";
    const request = requestOf('call set_mood {"mood": "glad"}');
    const { value } = await wire.call("sendMessage", request, { "a2a-extensions": `urn:other, ${uri}` });
    assert.deepEqual(value.task.metadata, { [uri]: { mood: "glad" } });
    assert.equal((await wire.call("sendMessage", request)).value.task.metadata, undefined);
  });
});

describe("media types that the client accepts (A2A-13)", () => {
  it("turn data into text when data is not among them", async () => {
    const { artifacts } = await send("send data", {}, { configuration: { acceptedOutputModes: ["text/plain"] } });
    assert.deepEqual(artifacts[0].parts, [{ text: '{"streets":12}', mediaType: "text/plain" }]);
    for (const mode of ["application/json", "*/*", "application/*"]) {
      const task = await send("send data", {}, { configuration: { acceptedOutputModes: ["text/plain", mode] } });
      assert.deepEqual(task.artifacts[0].parts[0].data, { streets: 12 }, mode);
    }
  });
});

describe("what is stored of a task (A2A-14)", () => {
  it("has no large files", async () => {
    const large = Buffer.alloc(70_000, 1).toString("base64");
    const parts = [
      { raw: large, mediaType: "image/png", filename: "large.png" },
      { raw: "AAEC", mediaType: "image/png" },
    ];
    const { history } = await send("", { parts });
    assert.deepEqual(history[0].parts, [
      { text: "[File large.png, image/png: 70000 bytes]", mediaType: "text/plain" },
      { raw: "AAEC", mediaType: "image/png" },
    ]);
  });

  it("goes with its conversation", async () => {
    const { id, contextId } = await send("say Hello.");
    await guide.send("DELETE", `${APP}/conversations/${contextId}`);
    assert.equal((await wire.call("getTask", { id })).fault?.reason, "TASK_NOT_FOUND");
  });

  it("is without personal data where the app redacts", async () => {
    const redactionConfig = { enableRedaction: true };
    await guide.send("PATCH", `${APP}?updateMask=loggingSettings`, { loggingSettings: { redactionConfig } });
    const { id } = await send("say Write to ann@example.com.", { metadata: { city: "ann@example.com" } });
    const stored = JSON.stringify(await get(id));
    assert.doesNotMatch(stored, /ann@example\.com/);
    assert.match(stored, /Write to/);
    await guide.send("PATCH", `${APP}?updateMask=loggingSettings`, { loggingSettings: {} });
  });
});

describe("subscribers (A2A-15)", () => {
  it("are 100 at most", async () => {
    const { id } = await send("call show_map");
    const streams = Array.from({ length: 100 }, () => wire.stream("subscribeToTask", { id }));
    await Promise.all(streams.map((stream) => stream.next()));
    await assert.rejects(wire.stream("subscribeToTask", { id }).next(), ({ answer }: StreamFault) => {
      assert.match(answer.fault?.message ?? "", /100 subscribers/);
      return true;
    });
    await Promise.all(streams.map((stream) => stream.return()));
    await wire.call("cancelTask", { id });
  });
});
