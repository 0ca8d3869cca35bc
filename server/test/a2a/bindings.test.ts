import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Task, TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";
import {
  answerOf,
  BINDINGS,
  clientOf,
  eventsOf,
  legacyClientOf,
  messageOf,
  partOf,
  taskOf,
  textOf,
} from "./clients.ts";

let guide: AgentServer;
before(async () => {
  guide = await startAgentServer();
});
after(() => guide[Symbol.asyncDispose]());

const CLIENTS: readonly (readonly [string, () => Promise<Client>])[] = [
  ...BINDINGS.map((binding) => [binding, () => clientOf(guide.server.address, APP, binding)] as const),
  ["JSONRPC 0.3", () => legacyClientOf(guide.server.address, APP)],
];

const ANSWERS = [
  ["send a file", { $case: "raw", value: Buffer.from("picture") }],
  ["send a link", { $case: "url", value: "https://example.com/map.pdf" }],
  ["send data", { $case: "data", value: { streets: 12 } }],
] as const;

for (const [binding, open] of CLIENTS) {
  describe(`an agent by ${binding} (A2A-3)`, () => {
    let client: Client;
    before(async () => {
      client = await open();
    });

    it("answers a message with a task that is completed", async () => {
      const task = await taskOf(client, messageOf("say Good morning."));
      assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED);
      assert.equal(answerOf(task), "Good morning.");
      assert.equal(task.history.length, 1);
    });

    it("goes on with a context", async () => {
      const first = await taskOf(client, messageOf("say One."));
      const second = await taskOf(client, messageOf("say Two.", { contextId: first.contextId }));
      assert.equal(second.contextId, first.contextId);
      assert.notEqual(second.id, first.id);
      const prompt = JSON.stringify(guide.model.requests.at(-1)?.messages);
      assert.match(prompt, /say One\..*say Two\./);
    });

    it("asks its client for input, and goes on with the answer", async () => {
      const asking = await taskOf(client, messageOf('call show_map {"city": "Rome"}'));
      assert.equal(asking.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
      const data = asking.status.message?.parts.find(({ content }) => content?.$case === "data")?.content?.value;
      const [call] = data.toolCalls;
      assert.deepEqual(
        { ...call, id: "" },
        { id: "", displayName: "show_map", tool: `${APP}/tools/show-map`, args: { city: "Rome" } },
      );
      const response = partOf({
        $case: "data",
        value: { toolResponses: [{ id: call.id, response: { shown: true } }] },
      });
      const done = await taskOf(client, messageOf([response], { taskId: asking.id, contextId: asking.contextId }));
      assert.equal(done.id, asking.id);
      assert.equal(done.status?.state, TaskState.TASK_STATE_COMPLETED);
      assert.equal(answerOf(done), 'show_map: {"shown":true}');
    });

    it("streams what it says, then that it has ended", async () => {
      const events = await eventsOf(client.sendMessageStream(messageOf("say Good morning to you.")));
      assert.equal(events[0]?.payload?.$case, "task");
      const texts = events.flatMap(({ payload }) =>
        payload?.$case === "artifactUpdate" ? [textOf(payload.value.artifact?.parts ?? [])] : [],
      );
      assert.ok(texts.length > 1);
      assert.equal(texts.join(""), "Good morning to you.");
      const updates = events.flatMap(({ payload }) => (payload?.$case === "artifactUpdate" ? [payload.value] : []));
      assert.deepEqual(
        updates.map(({ append, lastChunk }) => [append, lastChunk]),
        updates.map((_, index) => [index > 0, index === updates.length - 1]),
      );
      const last = events.at(-1)?.payload;
      assert.equal(last?.$case === "statusUpdate" && last.value.status?.state, TaskState.TASK_STATE_COMPLETED);
    });

    it("takes files and data", async () => {
      const parts = [
        partOf({ $case: "raw", value: Buffer.from("a,b") }, { mediaType: "text/csv", filename: "list.csv" }),
        partOf({ $case: "raw", value: Buffer.from("png") }, { mediaType: "image/png" }),
        partOf({ $case: "data", value: { street: 7 } }),
        partOf({ $case: "url", value: "https://example.com/a.pdf" }, { mediaType: "application/pdf" }),
      ];
      const task = await taskOf(client, messageOf(parts));
      const said =
        'You said: list.csv:\na,b | [blob] | {"street":7} | File (application/pdf): https://example.com/a.pdf';
      assert.equal(answerOf(task), said);
    });

    for (const [words, expected] of ANSWERS) {
      it(`answers with ${expected.$case}`, async () => {
        const task = await taskOf(client, messageOf(words));
        assert.deepEqual(task.artifacts[0]?.parts[0]?.content, expected);
      });
    }

    it("finds its tasks again, and cancels what waits", async () => {
      const task = await taskOf(client, messageOf("call show_map"));
      assert.deepEqual(await client.getTask({ tenant: "", id: task.id, historyLength: undefined }), task);
      const canceled = await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
      assert.equal(canceled.status?.state, TaskState.TASK_STATE_CANCELED);
      await assert.rejects(client.cancelTask({ tenant: "", id: task.id, metadata: undefined }), /cannot be canceled/);
    });

    it("tells a second reader what the first one is told", async () => {
      const stream = client.sendMessageStream(messageOf("wait Here it is."));
      const first = await stream.next();
      const { id } = (first.value?.payload?.value ?? {}) as Task;
      const second = client.resubscribeTask({ tenant: "", id });
      const snapshot = await second.next();
      assert.equal(snapshot.value?.payload?.$case, "task");
      await guide.model.waits;
      guide.model.release();
      const [told, toldAgain] = await Promise.all([eventsOf(stream), eventsOf(second)]);
      assert.deepEqual(toldAgain.at(-1), told.at(-1));
    });
  });
}
