import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import {
  type ChatRequestSchema,
  DataChatService,
  type Message,
  TextMessage_TextType as TextType,
} from "@frontdesk/protos/gda/data_chat_service";
import type { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { TestServer } from "#testing";
import { LOCATION, startDataServer } from "../analytics/data-server.ts";
import { verifies, type Wire } from "./verifies.ts";

let server: TestServer;
before(async () => {
  server = await startDataServer();
});
after(() => server[Symbol.asyncDispose]());
const address = () => server.address;

const ORDERS: MessageInitShape<typeof DatasourceReferencesSchema> = {
  references: {
    case: "bq",
    value: { tableReferences: [{ projectId: "acme", datasetId: "sales", tableId: "orders" }] },
  },
};

const published = (systemInstruction: string) => ({
  type: {
    case: "dataAnalyticsAgent" as const,
    value: { publishedContext: { systemInstruction, datasourceReferences: ORDERS } },
  },
});

async function madeAgent(wire: Wire): Promise<string> {
  const request = { parent: LOCATION, dataAgentId: `a-${randomUUID().slice(0, 8)}`, dataAgent: published("1") };
  return (await wire.client(DataAgentService).createDataAgentSync(request)).name;
}

const asked = (text: string) => [
  { kind: { case: "userMessage" as const, value: { kind: { case: "text" as const, value: text } } } },
];

async function chat(wire: Wire, request: MessageInitShape<typeof ChatRequestSchema>): Promise<readonly Message[]> {
  return Array.fromAsync(wire.client(DataChatService).chat({ parent: LOCATION, ...request }));
}

/** What a message is, e.g. `data.result` or `text.THOUGHT`. */
function kindOf({ kind }: Message): string {
  if (kind.case !== "systemMessage") return "user";
  const { kind: said } = kind.value;
  if (said.case === "text") return `text.${TextType[said.value.textType]}`;
  const inner = said.value && "kind" in said.value ? said.value.kind : undefined;
  return `${said.case}.${inner && "case" in inner ? inner.case : ""}`;
}

describe("data agents", () => {
  verifies("data-agent-operations", address, async (wire) => {
    const client = wire.client(DataAgentService);
    const dataAgentId = `op-${wire.surface}`;
    const created = await client.createDataAgent({ parent: LOCATION, dataAgentId, dataAgent: published("1") });
    const name = `${LOCATION}/dataAgents/${dataAgentId}`;
    assert.ok(created.done && created.result.case === "response");
    assert.equal(anyUnpack(created.result.value, DataAgentSchema)?.name, name);
    const updated = await client.updateDataAgent({
      dataAgent: { name, displayName: "B" },
      updateMask: { paths: ["display_name"] },
    });
    assert.ok(updated.done && updated.result.case === "response");
    assert.equal(anyUnpack(updated.result.value, DataAgentSchema)?.displayName, "B");
    const deleted = await client.deleteDataAgent({ name });
    assert.deepEqual([deleted.done, deleted.result.case], [true, "response"]);
  });

  verifies("data-agent-published", address, async (wire) => {
    const client = wire.client(DataAgentService);
    const name = await madeAgent(wire);
    const { type } = await client.updateDataAgentSync({ dataAgent: { name, ...published("2") } });
    assert.deepEqual(
      [type.value?.publishedContext?.systemInstruction, type.value?.lastPublishedContext?.systemInstruction],
      ["2", "1"],
    );
  });

  verifies("data-agent-soft-delete", address, async (wire) => {
    const client = wire.client(DataAgentService);
    const name = await madeAgent(wire);
    await client.deleteDataAgentSync({ name });
    const agent = await client.getDataAgent({ name });
    assert.equal(Number(agent.purgeTime?.seconds) - Number(agent.deleteTime?.seconds), 30 * 86_400);
    const listed = async (showDeleted: boolean) => {
      const { dataAgents } = await client.listDataAgents({ parent: LOCATION, pageSize: 100, showDeleted });
      return dataAgents.some((each) => each.name === name);
    };
    assert.deepEqual([await listed(false), await listed(true)], [false, true]);
    await assert.rejects(client.updateDataAgentSync({ dataAgent: { name, displayName: "x" } }), {
      code: Code.FailedPrecondition,
    });
    const again = { parent: LOCATION, dataAgentId: name.split("/").at(-1) ?? "", dataAgent: {} };
    await assert.rejects(client.createDataAgentSync(again), { code: Code.AlreadyExists });
  });

  verifies("data-agent-request-id", address, async (wire) => {
    const client = wire.client(DataAgentService);
    const request = { parent: LOCATION, requestId: randomUUID(), dataAgent: { displayName: "Once" } };
    const first = await client.createDataAgentSync(request);
    assert.deepEqual(await client.createDataAgentSync(request), first);
    const zero = { ...request, requestId: "00000000-0000-0000-0000-000000000000" };
    await assert.rejects(client.createDataAgentSync(zero), { code: Code.InvalidArgument });
  });
});

describe("questions to data", () => {
  verifies("data-chat-order", address, async (wire) => {
    const contextProvider = { case: "inlineContext" as const, value: { datasourceReferences: ORDERS } };
    const kinds = (await chat(wire, { messages: asked("total amount by region"), contextProvider })).map(kindOf);
    assert.deepEqual(
      kinds.filter((kind) => !/THOUGHT|PROGRESS/.test(kind)),
      [
        "schema.query",
        "schema.result",
        "data.query",
        "data.generatedSql",
        "data.result",
        "chart.query",
        "chart.result",
        "text.FINAL_RESPONSE",
        "text.FOLLOWUP_QUESTIONS",
      ],
    );
  });

  verifies("data-chat-stored", address, async (wire) => {
    const client = wire.client(DataChatService);
    const dataAgent = await madeAgent(wire);
    const { name } = await client.createConversation({ parent: LOCATION, conversation: { agents: [dataAgent] } });
    const contextProvider = {
      case: "conversationReference" as const,
      value: { conversation: name, dataAgentContext: { dataAgent } },
    };
    const sent = await chat(wire, { messages: asked("how many orders are there?"), contextProvider });
    const { messages } = await client.listMessages({ parent: name, pageSize: 100 });
    const kept = messages.map(({ message }) => message).reverse();
    assert.equal(kept[0]?.kind.case, "userMessage");
    assert.deepEqual(kept.slice(1), sent);
  });

  verifies("data-chat-context", address, async (wire) => {
    const client = wire.client(DataChatService);
    await assert.rejects(chat(wire, { messages: asked("?") }), { code: Code.InvalidArgument });
    const [own, other] = [await madeAgent(wire), await madeAgent(wire)];
    const { name } = await client.createConversation({ parent: LOCATION, conversation: { agents: [own] } });
    const value = { conversation: name, dataAgentContext: { dataAgent: other } };
    const contextProvider = { case: "conversationReference" as const, value };
    await assert.rejects(chat(wire, { messages: asked("?"), contextProvider }), { code: Code.InvalidArgument });
  });

  verifies("data-query-options", address, async (wire) => {
    const client = wire.client(DataChatService);
    const databaseReference = {
      projectId: "acme",
      region: "us",
      clusterId: "c",
      instanceId: "i",
      databaseId: "sales",
    };
    const references = { case: "alloydb" as const, value: { databaseReference } };
    const request = {
      parent: LOCATION,
      prompt: "how many orders are there?",
      context: { datasourceReferences: { references } },
    };
    const plain = await client.queryData(request);
    assert.deepEqual(
      [plain.generatedQuery !== "", plain.queryResult, plain.naturalLanguageAnswer],
      [true, undefined, ""],
    );
    const whole = await client.queryData({
      ...request,
      generationOptions: { generateQueryResult: true, generateNaturalLanguageAnswer: true },
    });
    assert.deepEqual(
      [whole.queryResult?.rows.map(({ values }) => values.map(({ value }) => value)), whole.queryResult?.totalRowCount],
      [[["6"]], 1n],
    );
    assert.match(whole.naturalLanguageAnswer, /6/);
  });
});
