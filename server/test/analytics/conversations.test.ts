import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { nonEmptyFields } from "#base";
import type { TestServer } from "#testing";
import { askAll, callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

const AGENT = `${LOCATION}/dataAgents/orders`;
const OTHER = `${LOCATION}/dataAgents/other`;

let server: TestServer;
before(async () => {
  server = await startDataServer();
  const publishedContext = { datasourceReferences: ORDERS_REFERENCE };
  for (const id of ["orders", "other"]) {
    const body = { dataAnalyticsAgent: { publishedContext } };
    await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=${id}`, body);
  }
});
after(() => server[Symbol.asyncDispose]());

const get = async (path: string) => (await callRest(server, "GET", `/v1beta/${path}`)).json;

async function begin(labels: object = {}): Promise<string> {
  const id = `c-${randomUUID().slice(0, 8)}`;
  const body = { agents: [AGENT], labels };
  const { status, json } = await callRest(
    server,
    "POST",
    `/v1beta/${LOCATION}/conversations?conversation_id=${id}`,
    body,
  );
  assert.deepEqual([status, json.name], [200, `${LOCATION}/conversations/${id}`]);
  return json.name;
}

/** Asks in a conversation; answers all elements. */
const ask = (conversation: string, text: string, more: object = {}) =>
  askAll(server, {
    messages: [{ userMessage: { text } }],
    conversationReference: { conversation, dataAgentContext: { dataAgent: AGENT } },
    ...more,
  });

describe("a conversation", () => {
  it("stores the question and every element of the answer, newest first, each with its id", async () => {
    const conversation = await begin();
    const sent = await ask(conversation, "total amount by region");
    const { messages } = await get(`${conversation}/messages?pageSize=100`);
    assert.deepEqual(
      messages
        .map(({ message }: { message: object }) => message)
        .reverse()
        .slice(1),
      sent,
    );
    const { messageId, message } = messages.at(-1);
    assert.deepEqual([message.userMessage, message.messageId], [{ text: "total amount by region" }, messageId]);
    assert.match(message.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
    assert.ok(messages.every((each: { messageId: string }) => each.messageId !== ""));
  });

  it("remembers what was asked, whatever the client sends of it again", async () => {
    const conversation = await begin();
    await ask(conversation, "total amount by region");
    const earlier = [{ userMessage: { text: "how many orders?" } }, {}];
    const sent = await ask(conversation, "make that a pie chart", {
      messages: [...earlier, { userMessage: { text: "make that a pie chart" } }],
    });
    const charts = sent.flatMap(({ systemMessage }) => systemMessage.chart?.result?.vegaConfig ?? []);
    assert.deepEqual(
      charts.map(({ mark }) => mark.type),
      ["arc"],
    );
    assert.ok(sent.every(({ systemMessage }) => !systemMessage.data?.generatedSql));
  });

  it("is listed by last use, filtered by agent and labels, in pages", async () => {
    const run = randomUUID().slice(0, 8);
    const names = [await begin({ run }), await begin({ run }), await begin({ run })];
    await ask(names[0] ?? "", "how many orders are there?");
    const filter = encodeURIComponent(`agents:"${AGENT}" AND labels.run = "${run}"`);
    const list = (more: string) => get(`${LOCATION}/conversations?filter=${filter}${more}`);
    const all = await list("");
    assert.deepEqual(
      all.conversations.map(({ name }: { name: string }) => name),
      [names[0], names[2], names[1]],
    );
    const first = await list("&pageSize=2");
    const second = await list(`&pageSize=2&pageToken=${first.nextPageToken}`);
    assert.deepEqual([...first.conversations, ...second.conversations], all.conversations);
    assert.equal(second.nextPageToken, undefined);
    assert.deepEqual(await get(`${LOCATION}/conversations?filter=${encodeURIComponent(`agents:"${OTHER}"`)}`), {});
  });

  it("has pages of fifty messages, a hundred at most, and filters by time", async () => {
    const conversation = await begin();
    for (let turn = 0; turn < 8; turn++) await ask(conversation, "total amount by region");
    const pages = async (query: string) => {
      const sizes: number[] = [];
      let token = "";
      do {
        const page = await get(`${conversation}/messages?${query}&pageToken=${token}`);
        sizes.push(page.messages?.length ?? 0);
        token = page.nextPageToken ?? "";
      } while (token !== "");
      return sizes;
    };
    const byDefault = await pages("");
    const total = byDefault.reduce((sum, size) => sum + size, 0);
    assert.ok(total > 100);
    assert.ok(byDefault.slice(0, -1).every((size) => size === 50));
    assert.deepEqual(await pages("pageSize=5000"), [100, total - 100]);
    const { messages } = await get(`${conversation}/messages?pageSize=1`);
    const time = messages[0].message.timestamp;
    const filter = (comparison: string) => encodeURIComponent(`${comparison} "${time}"`);
    assert.deepEqual(await get(`${conversation}/messages?filter=${filter("createTime >")}`), {});
    const upTo = await pages(`pageSize=100&filter=${filter("update_time <=")}`);
    assert.equal(
      upTo.reduce((sum, size) => sum + size, 0),
      total,
    );
  });

  it("is gone with its messages when it is deleted, and begins anew under the same id", async () => {
    const conversation = await begin();
    await ask(conversation, "how many orders are there?");
    assert.deepEqual(await callRest(server, "DELETE", `/v1beta/${conversation}`), { status: 200, json: {} });
    for (const path of [conversation, `${conversation}/messages`]) {
      assert.equal((await callRest(server, "GET", `/v1beta/${path}`)).status, 404);
    }
    const id = conversation.split("/").at(-1);
    await callRest(server, "POST", `/v1beta/${LOCATION}/conversations?conversationId=${id}`, { agents: [AGENT] });
    assert.deepEqual(await get(`${conversation}/messages`), {});
  });

  it("is rejected without exactly one agent, with a key, and under an id that exists", async () => {
    const create = (body: object, id = "") =>
      callRest(server, "POST", `/v1/${LOCATION}/conversations?conversationId=${id}`, body);
    const kmsKey = "projects/p/locations/us/keyRings/r/cryptoKeys/k";
    const faulty = await create({ agents: [AGENT, OTHER], kmsKey });
    assert.deepEqual(
      faulty.json.error.details[0].fieldViolations.map(({ field }: { field: string }) => field),
      ["conversation.kms_key", "conversation.agents"],
    );
    assert.equal((await create({})).json.error.details[0].fieldViolations[0].field, "conversation.agents");
    const taken = (await begin()).split("/").at(-1) ?? "";
    assert.deepEqual((await create({ agents: [AGENT] }, taken)).status, 409);
  });

  it("is answered with its own agent only", async () => {
    const conversation = await begin();
    const [refused] = await ask(conversation, "how many orders are there?", {
      conversationReference: { conversation, dataAgentContext: { dataAgent: OTHER } },
    });
    assert.deepEqual(
      refused.error.details[0].fieldViolations.map(({ field }: { field: string }) => field),
      ["conversation_reference.data_agent_context.data_agent"],
    );
    assert.deepEqual(await get(`${conversation}/messages`), {});
  });
});

describe("a question that is rejected", () => {
  it("leaves its conversation as it was", async () => {
    const conversation = await begin();
    for (const [messages, field] of [
      [[{ systemMessage: { text: { parts: ["hi"] } } }], "messages"],
      [[{ userMessage: { text: "  " } }], "messages"],
      [[], "messages"],
    ] as const) {
      const [refused] = await ask(conversation, "", { messages });
      assert.equal(refused.error.details[0].fieldViolations[0].field, field);
    }
    assert.deepEqual(await get(`${conversation}/messages`), {});
    const [unknown] = await ask(`${LOCATION}/conversations/nobody`, "how many orders are there?");
    assert.equal(unknown.error.status, "NOT_FOUND");
  });
});

describe("the versions of an agent's context", () => {
  it("are published unless staging is asked for, and staging where nothing was published", async () => {
    const sales = { datasourceReferences: ORDERS_REFERENCE };
    const unmapped = { bq: { tableReferences: [{ projectId: "acme", datasetId: "sales", tableId: "nothing" }] } };
    const create = async (id: string, contexts: object) => {
      await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=${id}`, {
        dataAnalyticsAgent: contexts,
      });
      return `${LOCATION}/dataAgents/${id}`;
    };
    const chat = async (dataAgent: string, contextVersion?: string | number) => {
      const messages = [{ userMessage: { text: "how many orders are there?" } }];
      const elements = await askAll(server, {
        messages,
        dataAgentContext: { dataAgent, ...nonEmptyFields({ contextVersion }) },
      });
      return elements[0].error?.details[0].reason ?? "answered";
    };
    const both = await create("both", { stagingContext: { datasourceReferences: unmapped }, publishedContext: sales });
    assert.deepEqual(
      [await chat(both), await chat(both, "PUBLISHED"), await chat(both, "STAGING"), await chat(both, 1)],
      ["answered", "answered", "TABLE_NOT_MAPPED", "TABLE_NOT_MAPPED"],
    );
    const staging = await create("staging", { stagingContext: sales });
    assert.deepEqual(
      [await chat(staging), await chat(staging, "STAGING"), await chat(staging, "PUBLISHED")],
      ["answered", "answered", "CONTEXT_NOT_SET"],
    );
  });
});
