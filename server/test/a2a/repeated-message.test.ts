import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";
import { type Wire, wiresTo } from "./wires.ts";

let guide: AgentServer;
let wires: readonly Wire[];
let wire: Wire;
before(async () => {
  guide = await startAgentServer();
  wires = wiresTo(guide.server.address, APP);
  wire = wires[0] as Wire;
});
after(async () => {
  for (const each of wires) each.close();
  await guide[Symbol.asyncDispose]();
});

const requestOf = (text: string, more: object = {}) => ({
  message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }], ...more },
});

const withKey = (key: string) => ({ "idempotency-key": key });

async function send(key: string, text: string, more: object = {}) {
  const { value, fault } = await wire.call("sendMessage", requestOf(text, more), withKey(key));
  assert.equal(fault, undefined);
  return value.task;
}

const turnsIn = async (contextId: string) =>
  (await guide.send("GET", `${APP}/conversations/${contextId}`)).turnCount as number;

describe("a message that comes again with its key (A2A-27)", () => {
  it("is answered with its task over every binding, and runs once, also where it began the context", async () => {
    const first = await send("key-1", "say Booked.");
    for (const each of wires) {
      const { value } = await each.call("sendMessage", requestOf("say Booked."), withKey("key-1"));
      assert.deepEqual([value.task.id, value.task.artifacts[0].parts[0].text], [first.id, "Booked."], each.name);
    }
    const stream = wire.stream("sendStreamingMessage", requestOf("say Booked."), withKey("key-1"));
    const ids = [];
    for await (const event of stream) ids.push((event as { readonly task?: { readonly id: string } }).task?.id);
    assert.deepEqual(ids, [first.id]);
    assert.equal(await turnsIn(first.contextId), 1);
  });

  it("is one task when it comes twice at once, and all wait for its answer", async () => {
    const contextId = "context-at-once";
    const both = [send("at-once", "wait Once.", { contextId }), send("at-once", "wait Once.", { contextId })];
    await guide.model.waits;
    const late = send("at-once", "wait Once.", { contextId });
    guide.model.release();
    const tasks = await Promise.all([...both, late]);
    for (const task of tasks) assert.deepEqual([task.id, task.status.state], [tasks[0].id, "TASK_STATE_COMPLETED"]);
    assert.equal(await turnsIn(contextId), 1);
  });

  it("is refused as another message, which says what the key is of", async () => {
    const { id, contextId } = await send("key-2", "say Yes.");
    for (const request of [requestOf("say No."), requestOf("say Yes.", { contextId: "another-context" })]) {
      const { fault } = await wire.call("sendMessage", request, withKey("key-2"));
      assert.equal(fault?.code, -32602);
      assert.match(
        fault.message,
        new RegExp(`Idempotency-Key.*'key-2' is the key of the message of task '${id}'.*its own`),
      );
    }
    assert.equal(await turnsIn(contextId), 1);
    const { fault } = await wire.call("sendMessage", requestOf("say Yes."), withKey("x".repeat(201)));
    assert.match(fault?.message ?? "", /Idempotency-Key: must have 1 to 200 characters/);
  });

  it("is another message with another key, and with none", async () => {
    const contextId = "context-of-many";
    const tasks = [await send("key-3", "say Hello.", { contextId }), await send("key-4", "say Hello.", { contextId })];
    for (const _time of ["once", "twice"])
      tasks.push((await wire.call("sendMessage", requestOf("say Hello.", { contextId }))).value.task);
    assert.equal(new Set(tasks.map(({ id }) => id)).size, 4);
  });

  it("is found when it went on with a task, which has ended since", async () => {
    const asking = await send("key-5", "call show_map");
    const [{ id }] = asking.status.message.parts.at(-1).data.toolCalls;
    const parts = [{ data: { toolResponses: [{ id, response: { shown: true } }] } }];
    const answer = { messageId: "m-2", parts, taskId: asking.id };
    const done = await send("key-6", "", answer);
    assert.equal(done.status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(await send("key-6", "", answer), done);
    const { fault } = await wire.call("sendMessage", requestOf("More", { taskId: asking.id }), withKey("key-7"));
    assert.match(fault?.message ?? "", /takes no further messages/);
  });

  it("runs anew where its task has failed, as another task", async () => {
    const failed = await send("key-8", "fail");
    assert.equal(failed.status.state, "TASK_STATE_FAILED");
    assert.notEqual((await send("key-8", "fail")).id, failed.id);
  });
});
