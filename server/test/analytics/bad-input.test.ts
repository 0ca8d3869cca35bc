import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import {
  ChatRequestSchema,
  DataChatService,
  MessageSchema,
  QueryDataRequestSchema,
} from "@frontdesk/protos/gda/data_chat_service";
import type { TestServer } from "#testing";
import { askAll, callRest, DATABASE_REFERENCE, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";
import type { Element } from "./line-clients.ts";

/** What a question gets: its elements, or the one refusal with the code of gRPC and its words. */
type Outcome = { readonly elements: readonly Element[] } | { readonly code: string; readonly message: string };

const asked = (text: string) => [{ userMessage: { text } }];
const inline = (inlineContext: object, text = "total amount by region") => ({ messages: asked(text), inlineContext });
const tables = (...tableIds: string[]) => ({
  bq: { tableReferences: tableIds.map((tableId) => ({ projectId: "acme", datasetId: "sales", tableId })) },
});
const codeName = (code: Code) => Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();

const REFUSED: readonly (readonly [string, object, string, RegExp])[] = [
  ["no context", { messages: asked("x") }, "INVALID_ARGUMENT", /context_provider/],
  [
    "an empty context",
    inline({}),
    "INVALID_ARGUMENT",
    /context\.datasource_references.*REFERENCES_NOT_SET.*bq\.table_references/s,
  ],
  ["references to nothing", inline({ datasourceReferences: { bq: {} } }), "INVALID_ARGUMENT", /table_references/],
  [
    "no message",
    { ...inline({ datasourceReferences: tables("orders") }), messages: [] },
    "INVALID_ARGUMENT",
    /messages/,
  ],
  [
    "an empty question",
    inline({ datasourceReferences: tables("orders") }, "   "),
    "INVALID_ARGUMENT",
    /last message must be a user message/,
  ],
  [
    "a question longer than anybody asks (CA-31)",
    inline({ datasourceReferences: tables("orders") }, "4 1 1 1-".repeat(100_000)),
    "INVALID_ARGUMENT",
    /the question has 800000 characters; the limit is 10000/,
  ],
  [
    "more messages than any conversation has",
    {
      ...inline({ datasourceReferences: tables("orders") }),
      messages: Array.from({ length: 5_001 }, () => ({ userMessage: { text: "x" } })),
    },
    "INVALID_ARGUMENT",
    /messages.*has 5001 items; the limit is 5000/,
  ],
  [
    "a last message of the system's",
    {
      ...inline({ datasourceReferences: tables("orders") }),
      messages: [{ systemMessage: { text: { parts: ["x"] } } }],
    },
    "INVALID_ARGUMENT",
    /last message must be a user message/,
  ],
  [
    "an unknown table",
    inline({ datasourceReferences: tables("salaries") }),
    "FAILED_PRECONDITION",
    /acme\.sales\.salaries.*warehouse\.sources/,
  ],
  [
    "a known and an unknown table",
    inline({ datasourceReferences: tables("orders", "x") }),
    "FAILED_PRECONDITION",
    /acme\.sales\.x/,
  ],
  [
    "the server's catalogue",
    inline({ datasourceReferences: tables("INFORMATION_SCHEMA.TABLES") }),
    "INVALID_ARGUMENT",
    /INFORMATION_SCHEMA/,
  ],
  [
    "a property graph",
    inline({
      datasourceReferences: {
        bq: { propertyGraphReferences: [{ projectId: "p", datasetId: "d", propertyGraphId: "g" }] },
      },
    }),
    "UNIMPLEMENTED",
    /property graph p\.d\.g/,
  ],
  [
    "tables and a property graph",
    inline({
      datasourceReferences: {
        bq: {
          ...tables("orders").bq,
          propertyGraphReferences: [{ projectId: "p", datasetId: "d", propertyGraphId: "g" }],
        },
      },
    }),
    "INVALID_ARGUMENT",
    /exclude each other|property_graph_references/,
  ],
  [
    "a bound that is no bound",
    inline({ datasourceReferences: tables("orders"), options: { datasource: { bigQueryMaxBilledBytes: "-5" } } }),
    "INVALID_ARGUMENT",
    /big_query_max_billed_bytes/,
  ],
  [
    "relationships of unequal sides",
    inline({
      datasourceReferences: tables("orders"),
      schemaRelationships: [
        { leftSchemaPaths: { tableFqn: "a", paths: ["x", "y"] }, rightSchemaPaths: { tableFqn: "b", paths: ["x"] } },
      ],
    }),
    "INVALID_ARGUMENT",
    /schema_relationships\[0\]/,
  ],
  [
    "settings of Looker for tables",
    { ...inline({ datasourceReferences: tables("orders") }), lookerSettings: { enableDevMode: true } },
    "INVALID_ARGUMENT",
    /looker_settings/,
  ],
  [
    "an agent that is not there",
    { messages: asked("x"), dataAgentContext: { dataAgent: `${LOCATION}/dataAgents/no` } },
    "NOT_FOUND",
    /dataAgents\/no/,
  ],
];

describe("what bad input gets", () => {
  let server: TestServer;
  before(async () => {
    server = await startDataServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const client = () => createClient(DataChatService, createGrpcTransport({ baseUrl: server.address }));

  async function overRest(body: object): Promise<Outcome> {
    const elements = await askAll(server, body);
    const [first] = elements;
    return first?.error ? { code: first.error.status, message: first.error.message } : { elements };
  }

  async function overGrpc(body: object): Promise<Outcome> {
    const request = fromJson(ChatRequestSchema, { parent: LOCATION, ...body } as JsonObject);
    try {
      const messages = await Array.fromAsync(client().chat(request));
      return { elements: messages.map((message) => toJson(MessageSchema, message)) };
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      return { code: codeName(code), message: rawMessage };
    }
  }

  for (const [wire, ask] of Object.entries({ REST: overRest, gRPC: overGrpc })) {
    for (const [name, body, code, words] of REFUSED) {
      it(`over ${wire}: ${name}`, async () => {
        const outcome = await ask(body);
        assert.ok("code" in outcome, JSON.stringify(outcome));
        assert.equal(outcome.code, code, outcome.message);
        assert.match(outcome.message, words);
      });
    }

    it(`over ${wire}: a question about nothing in the data ends with what can be asked`, async () => {
      const outcome = await ask(inline({ datasourceReferences: ORDERS_REFERENCE }, "Who won the football game?"));
      assert.ok("elements" in outcome, JSON.stringify(outcome));
      const texts = outcome.elements.map(({ systemMessage }) => systemMessage?.text);
      assert.match(
        texts.find((text) => text?.textType === "FINAL_RESPONSE")?.parts.join(""),
        /in these tables: orders/,
      );
      assert.ok(texts.some((text) => text?.textType === "FOLLOWUP_QUESTIONS"));
      assert.ok(outcome.elements.every(({ systemMessage }) => !systemMessage?.data));
    });

    it(`over ${wire}: a question longer than the rules read is answered at once`, async () => {
      const phrase = "how many orders and amount and ".repeat(200);
      const outcome = await ask(inline({ datasourceReferences: ORDERS_REFERENCE }, phrase));
      assert.ok("elements" in outcome, JSON.stringify(outcome));
      assert.match(JSON.stringify(outcome.elements), /I read questions of up to 2,000 characters/);
    });
  }

  it("over REST: two contexts at once, which gRPC cannot express", async () => {
    const both = { ...inline({ datasourceReferences: ORDERS_REFERENCE }), dataAgentContext: { dataAgent: "x" } };
    const outcome = await overRest(both);
    assert.equal("code" in outcome && outcome.code, "INVALID_ARGUMENT");
  });

  it("leaves the conversation as it was, which goes on once the input is good", async () => {
    const agent = `${LOCATION}/dataAgents/broken`;
    const path = `/v1beta/${LOCATION}/dataAgents`;
    const published = (datasourceReferences: object) => ({
      dataAnalyticsAgent: { publishedContext: { datasourceReferences } },
    });
    await callRest(server, "POST", `${path}:createSync?dataAgentId=broken`, published(tables("salaries")));
    const { json: made } = await callRest(server, "POST", `/v1beta/${LOCATION}/conversations`, { agents: [agent] });
    const reference = { conversation: made.name, dataAgentContext: { dataAgent: agent } };
    const stored = async (): Promise<number> =>
      (await callRest(server, "GET", `/v1beta/${made.name}/messages`)).json.messages?.length ?? 0;
    for (const ask of [overRest, overGrpc]) {
      for (const messages of [asked("total amount by region"), asked(" "), []]) {
        const outcome = await ask({ messages, conversationReference: reference });
        assert.ok("code" in outcome, JSON.stringify(outcome));
        assert.equal(await stored(), 0);
      }
    }
    const mask = "updateMask=data_analytics_agent.published_context";
    await callRest(server, "PATCH", `/v1beta/${agent}:updateSync?${mask}`, published(ORDERS_REFERENCE));
    const good = await overGrpc({ messages: asked("total amount by region"), conversationReference: reference });
    assert.ok("elements" in good, JSON.stringify(good));
    assert.equal(await stored(), good.elements.length + 1);
  });

  it("of QueryData is rejected by both protocols alike", async () => {
    const { alloydb } = DATABASE_REFERENCE;
    const contextSet = { alloydb: { ...alloydb, agentContextReference: { contextSetId: "verified" } } };
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [{ prompt: "x" }, "INVALID_ARGUMENT", /context/],
      [{ context: { datasourceReferences: DATABASE_REFERENCE } }, "INVALID_ARGUMENT", /prompt/],
      [{ prompt: "x", context: { datasourceReferences: contextSet } }, "NOT_FOUND", /verified/],
      [
        { prompt: "Who won?", context: { datasourceReferences: DATABASE_REFERENCE } },
        "FAILED_PRECONDITION",
        /in these tables: orders/,
      ],
    ];
    for (const [body, status, words] of cases) {
      const { json } = await callRest(server, "POST", `/v1beta/${LOCATION}:queryData`, body);
      const request = fromJson(QueryDataRequestSchema, { parent: LOCATION, ...body } as JsonObject);
      const refused = await client()
        .queryData(request)
        .then(() => assert.fail("it was answered"), ConnectError.from);
      assert.deepEqual([json.error.status, codeName(refused.code)], [status, status], json.error.message);
      assert.match(json.error.message, words);
      assert.equal(refused.rawMessage, json.error.message);
    }
  });
});
