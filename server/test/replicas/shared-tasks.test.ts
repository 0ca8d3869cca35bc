import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { type AgentServer, APP, startAgentServer } from "../a2a/agent-server.ts";
import { type Wire, wiresTo } from "../a2a/wires.ts";

describe("a task of one of two servers (A2A-30)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let guides: readonly AgentServer[] = [];
  let one: Wire;
  let other: Wire;

  before(async () => {
    postgres = await startPostgres();
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    const config = { database: { url: postgres.url, connections: 4 }, sealing };
    guides = [await startAgentServer({ isNew: true, config }), await startAgentServer({ isNew: false, config })];
    [one, other] = guides.map(({ server }) => wiresTo(server.address, APP)[0]) as [Wire, Wire];
  });
  after(async () => {
    for (const guide of guides) await guide[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  /** A task that works at the first server until its report is released, or its model. */
  async function working(text: string): Promise<string> {
    const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] };
    const { value } = await one.call("sendMessage", { message, configuration: { returnImmediately: true } });
    return value.task.id;
  }
  async function statesOf(events: AsyncIterable<object>, onFirst: () => void) {
    const states: string[] = [];
    const texts: string[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
    for await (const { task, statusUpdate, artifactUpdate } of events as AsyncIterable<any>) {
      if (task) onFirst();
      if (statusUpdate) states.push(statusUpdate.status.state);
      if (artifactUpdate) texts.push(artifactUpdate.artifact.parts.map((part: { text?: string }) => part.text).join());
    }
    return { states, texts };
  }

  it("is told to its end to who subscribes at the other one", async () => {
    const id = await working("call press_getReport");
    const { states, texts } = await statesOf(other.stream("subscribeToTask", { id }), () => guides[0]?.releaseReport());
    assert.equal(states.at(-1), "TASK_STATE_COMPLETED");
    assert.match(texts.at(-1) ?? "", /"pages": 3/);
  });

  it("stops when it is canceled at the other one", async () => {
    const id = await working("wait Never.");
    await guides[0]?.model.waits;
    const told = statesOf(one.stream("subscribeToTask", { id }), () => undefined);
    const { value } = await other.call("cancelTask", { id });
    assert.equal(value.status.state, "TASK_STATE_CANCELED");
    assert.deepEqual((await told).states, ["TASK_STATE_CANCELED"]);
    guides[0]?.model.release();
    assert.equal((await one.call("getTask", { id })).value.status.state, "TASK_STATE_CANCELED");
  });
});
