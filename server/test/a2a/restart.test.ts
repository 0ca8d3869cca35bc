import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type EchoServer, startEchoServer } from "../tools/echo-server.ts";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";
import { type Wire, wiresTo } from "./wires.ts";

/** Each task is brought to where the server stops, and looked at after the next start on the same folder. */
describe("a task whose server stops (A2A-16)", () => {
  let folder: string;
  let webhook: EchoServer;
  let guide: AgentServer;
  let wire: Wire;
  const ids: Record<string, string> = {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-a2a-"));
    webhook = await startEchoServer();
    await using first = await startAgentServer({ dataDir: folder, isNew: true, config: { drainMs: 0 } });
    wire = wiresTo(first.server.address, APP)[0] as Wire;
    const taskPushNotificationConfig = { url: `${webhook.url}/hook`, token: "the-token" };
    ids.done = await send("say Hello.");
    ids.asking = await send("call show_map", { taskPushNotificationConfig });
    ids.reporting = await send("call press_getReport", { returnImmediately: true });
    await settled(ids.reporting, "TASK_STATE_WORKING", 1);
    ids.busy = await send("wait For nothing.", { returnImmediately: true });
    await first.model.waits;
  });
  before(async () => {
    guide = await startAgentServer({ dataDir: folder });
    wire = wiresTo(guide.server.address, APP)[0] as Wire;
  });
  after(async () => {
    await guide[Symbol.asyncDispose]();
    await webhook[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function send(text: string, configuration: object = {}): Promise<string> {
    const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] };
    const { value } = await wire.call("sendMessage", { message, configuration });
    return value.task.id;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  async function settled(id: string, state: string, artifacts = 0): Promise<any> {
    for (;;) {
      const { value } = await wire.call("getTask", { id });
      if (value.status.state === state && (value.artifacts?.length ?? 0) >= artifacts) return value;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it("is as it was when it had ended", async () => {
    const { artifacts } = await settled(ids.done ?? "", "TASK_STATE_COMPLETED");
    assert.equal(artifacts[0].parts[0].text, "Hello.");
  });

  it("fails when nothing of its turn was stored, and says what to do", async () => {
    const { status, contextId } = await settled(ids.busy ?? "", "TASK_STATE_FAILED");
    assert.match(status.message.parts[0].text, /Send the message again/);
    const message = { messageId: "m-2", role: "ROLE_USER", parts: [{ text: "say Again." }], contextId };
    const { value } = await wire.call("sendMessage", { message });
    assert.equal(value.task.status.state, "TASK_STATE_COMPLETED");
  });

  it("tells the agent that its tool is lost, and ends with what the agent says", async () => {
    const { artifacts } = await settled(ids.reporting ?? "", "TASK_STATE_COMPLETED");
    assert.match(artifacts.at(-1).parts[0].text, /\[press_getReport\] failed/);
  });

  it("goes on when it waits for its client, and announces it with the token of before", async () => {
    const { status } = await settled(ids.asking ?? "", "TASK_STATE_INPUT_REQUIRED");
    const [call] = status.message.parts.at(-1).data.toolCalls;
    const parts = [{ data: { toolResponses: [{ id: call.id, response: { shown: true } }] } }];
    const message = { messageId: "m-2", role: "ROLE_USER", parts, taskId: ids.asking };
    const { value } = await wire.call("sendMessage", { message });
    assert.equal(value.task.artifacts.at(-1).parts[0].text, 'show_map: {"shown":true}');
    for (;;) {
      const told = webhook.requests.find(({ body }) => JSON.parse(body).task?.status.state === "TASK_STATE_COMPLETED");
      if (told) return assert.equal(told.headers["x-a2a-notification-token"], "the-token");
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});
