import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { TaskState } from "@a2a-js/sdk";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";
import { type Wire, wiresTo } from "./wires.ts";

const ANA = "ana-".repeat(8);
const BEN = "ben-".repeat(8);

let guide: AgentServer;
before(async () => {
  const identities = [
    { principal: "user:ana@example.com", token: ANA, roles: [] },
    { principal: "user:ben@example.com", token: BEN, roles: [] },
  ];
  guide = await startAgentServer({ config: { identities } });
});
after(() => guide[Symbol.asyncDispose]());

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const messageOf = (text: string, more: object = {}) => ({
  message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }], ...more },
});

describe("a task (A2A-4)", () => {
  it("is its caller's alone, on every binding", async () => {
    for (const wire of wiresTo(guide.server.address, APP)) {
      const { value } = await wire.call("sendMessage", messageOf("call show_map"), as(ANA));
      const { id, contextId } = value.task;
      const config = { taskId: id, id: "c-1", url: "https://example.com/hook" };
      assert.equal((await wire.call("createTaskPushNotificationConfig", config, as(ANA))).fault, undefined);
      for (const headers of [as(BEN), {}]) {
        const attempts = [
          wire.call("getTask", { id }, headers),
          wire.call("cancelTask", { id }, headers),
          wire.call("sendMessage", messageOf("Hello", { taskId: id }), headers),
          wire.call("createTaskPushNotificationConfig", config, headers),
          wire.call("getTaskPushNotificationConfig", { taskId: id, id: "c-1" }, headers),
          wire.call("listTaskPushNotificationConfigs", { taskId: id }, headers),
          wire.call("deleteTaskPushNotificationConfig", { taskId: id, id: "c-1" }, headers),
        ];
        for (const { fault } of await Promise.all(attempts)) assert.equal(fault?.reason, "TASK_NOT_FOUND", wire.name);
        const listed = await wire.call("listTasks", { contextId }, headers);
        assert.equal(listed.value.totalSize ?? 0, 0);
      }
      assert.equal(
        (await wire.call("getTask", { id }, as(ANA))).value.status.state,
        TaskState[TaskState.TASK_STATE_INPUT_REQUIRED],
      );
      wire.close();
    }
  });
});

describe("a context (A2A-5)", () => {
  let wire: Wire;
  before(() => {
    wire = wiresTo(guide.server.address, APP)[0] as Wire;
  });
  const send = async (text: string, contextId: string, headers: Record<string, string> = {}) => {
    const { value, fault } = await wire.call("sendMessage", messageOf(text, { contextId }), headers);
    assert.equal(fault, undefined);
    return value.task;
  };
  const prompt = () => JSON.stringify(guide.model.requests.at(-1)?.messages);

  it("of the same name is another one for another caller", async () => {
    await send("say Secret of Ana.", "the-same-context", as(ANA));
    const task = await send("say Hello.", "the-same-context", as(BEN));
    assert.equal(task.contextId, "the-same-context");
    assert.doesNotMatch(prompt(), /Secret of Ana/);
    await send("say More.", "the-same-context", as(ANA));
    assert.match(prompt(), /Secret of Ana/);
  });

  it("does not go on with a session that began elsewhere", async () => {
    const session = `${APP}/sessions/of-a-channel`;
    await guide.send("POST", `${session}:runSession`, {
      config: { session },
      inputs: [{ text: "say Secret of a channel." }],
    });
    const task = await send("say Hello.", "of-a-channel");
    assert.equal(task.contextId, "of-a-channel");
    assert.doesNotMatch(prompt(), /Secret of a channel/);
  });

  it("is the session of its name where that is possible", async () => {
    await send("say Hello.", "context-of-mine");
    assert.equal((await guide.send("GET", `${APP}/conversations/context-of-mine`)).turnCount, 1);
    await send("say Hello.", "ein Kontext mit ü");
    await send("say Again.", "ein Kontext mit ü");
    assert.match(prompt(), /Hello.*Again/);
  });

  it("takes no more messages when its conversation has ended", async () => {
    const { contextId, metadata } = await send("end it", "");
    assert.ok(metadata.endSession);
    const { fault } = await wire.call("sendMessage", messageOf("Hello", { contextId }));
    assert.match(fault?.message ?? "", /has ended/);
  });
});
