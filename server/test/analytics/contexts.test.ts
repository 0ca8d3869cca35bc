import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { askAll, callRest, inlineQuestion, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";
import type { Element } from "./line-clients.ts";

let server: TestServer;
before(async () => {
  server = await startDataServer();
});
after(() => server[Symbol.asyncDispose]());

const QUESTION = "total amount by region";
const inlineContext = { datasourceReferences: ORDERS_REFERENCE };
const messages = [{ userMessage: { text: QUESTION } }];

const answered = (elements: readonly Element[]): boolean =>
  elements.some(({ systemMessage }) => systemMessage?.text?.textType === "FINAL_RESPONSE");

const violations = ([refused]: readonly Element[]) =>
  refused.error.details[0].fieldViolations.map(({ field }: { field: string }) => field);

describe("a question with a context of the client's", () => {
  it("is answered inline, and with labels of the client's own, under each revision", async () => {
    const managed = { inlineContext, conversationId: "theirs", agentId: "also theirs" };
    for (const revision of ["v1", "v1beta", "v1alpha"]) {
      assert.ok(answered(await askAll(server, inlineQuestion(QUESTION), revision)), revision);
      assert.ok(
        answered(await askAll(server, { messages, clientManagedResourceContext: managed }, revision)),
        revision,
      );
    }
    assert.deepEqual((await callRest(server, "GET", `/v1beta/${LOCATION}/conversations`)).json, {});
  });

  it("follows what the client sends back of earlier answers, unchanged, with empty elements", async () => {
    const first = await askAll(server, inlineQuestion(QUESTION));
    const signed = {
      systemMessage: { text: { parts: ["thinking"], textType: "THOUGHT", thoughtSignature: "c2lnbmVk" } },
    };
    const echo = [
      ...messages,
      ...first,
      signed,
      { error: { code: 500, message: "x" } },
      { systemMessage: { newKind: {} } },
    ];
    const follow = { userMessage: { text: "only the North" } };
    const second = await askAll(server, { messages: [...echo, follow], inlineContext });
    const rows = second.flatMap(({ systemMessage }) => systemMessage?.data?.result?.data ?? []);
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [["North", "132.5"]],
      JSON.stringify(second.at(-2)),
    );
  });

  it("follows a history of texts alone", async () => {
    const history = [...messages, { systemMessage: { text: { parts: ["North 132.50, South 78, West 48.50"] } } }];
    const body = { messages: [...history, { userMessage: { text: "how many orders are there?" } }], inlineContext };
    assert.ok(answered(await askAll(server, body)));
  });
});

describe("the JSON of a question", () => {
  it("may mix spellings, hold unknown fields and one object for a list, and name its enums by number", async () => {
    const body = {
      parent: LOCATION,
      clientIdEnum: "GOOGLE_ADK",
      thinking_mode: 1,
      messages: { user_message: { text: QUESTION } },
      inline_context: {
        system_instruction: "Be brief.",
        datasourceReferences: {
          bq: { table_references: { project_id: "acme", datasetId: "sales", table_id: "orders" } },
        },
        options: { datasource: { big_query_max_billed_bytes: "100000000" }, chart: { image: { noImage: {} } } },
        labels: {},
      },
    };
    assert.ok(answered(await askAll(server, body)));
  });

  it("may hold a reference in older and newer words at once", async () => {
    const studio = { studioReferences: { datasource_id: "a", studio_datasource_id: "a" } };
    const [refused] = await askAll(server, { messages, inlineContext: { datasourceReferences: { studio } } });
    assert.equal(refused.error.status, "INVALID_ARGUMENT");
    assert.match(refused.error.message, /the data source 'a' of Looker Studio is not known here/);
  });

  it("has 64-bit numbers as strings", async () => {
    const options = { datasource: { bigQueryMaxBilledBytes: "123456789012345" } };
    const body = { dataAnalyticsAgent: { publishedContext: { ...inlineContext, options } } };
    const { json } = await callRest(server, "POST", `/v1/${LOCATION}/dataAgents:createSync`, body);
    assert.deepEqual(json.dataAnalyticsAgent.publishedContext.options, options);
  });
});

describe("a question that cannot be asked", () => {
  it("names what is missing from its context, and what would do", async () => {
    const none = await askAll(server, { messages });
    assert.deepEqual(violations(none), ["context_provider"]);
    for (const context of [{}, { datasourceReferences: {} }, { systemInstruction: "x" }]) {
      const refused = await askAll(server, { messages, inlineContext: context });
      assert.deepEqual(violations(refused), ["context.datasource_references"]);
      assert.match(refused[0].error.message, /REFERENCES_NOT_SET.*bq\.table_references/);
    }
  });

  it("has exactly one context", async () => {
    const both = await askAll(server, {
      messages,
      inlineContext,
      dataAgentContext: { dataAgent: `${LOCATION}/dataAgents/a` },
    });
    assert.equal(both[0].error.status, "INVALID_ARGUMENT");
  });

  it("names a table that nothing is mapped to, and the setting that would map it", async () => {
    const bq = { tableReferences: [{ projectId: "acme", datasetId: "hr", tableId: "salaries" }] };
    const [refused] = await askAll(server, { messages, inlineContext: { datasourceReferences: { bq } } });
    assert.deepEqual(
      [refused.error.status, refused.error.details[0].reason, refused.error.details[0].metadata],
      ["FAILED_PRECONDITION", "TABLE_NOT_MAPPED", { tables: "acme.hr.salaries" }],
    );
    assert.match(refused.error.message, /warehouse\.sources/);
  });

  it("contradicts itself", async () => {
    const graph = { projectId: "p", datasetId: "d", propertyGraphId: "g" };
    const bq = { ...ORDERS_REFERENCE.bq, propertyGraphReferences: [graph] };
    const refused = await askAll(server, {
      messages,
      inlineContext: {
        datasourceReferences: { bq },
        options: { datasource: { bigQueryMaxBilledBytes: "-5" } },
        schemaRelationships: [
          { leftSchemaPaths: { tableFqn: "a", paths: ["x", "y"] }, rightSchemaPaths: { tableFqn: "b", paths: ["x"] } },
        ],
      },
      lookerSettings: { enableDevMode: true },
    });
    assert.deepEqual(violations(refused), [
      "context.datasource_references.bq.property_graph_references",
      "context.options.datasource.big_query_max_billed_bytes",
      "context.schema_relationships[0]",
      "looker_settings",
    ]);
  });

  it("asks about nothing in the data, and the reply says what can be asked", async () => {
    const elements = await askAll(server, inlineQuestion("Who won the football game?"));
    const final = elements.findLast(({ systemMessage }) => systemMessage?.text?.textType === "FINAL_RESPONSE");
    assert.match(final?.systemMessage.text.parts.join(""), /orders/i);
    assert.ok(elements.every(({ systemMessage }) => !systemMessage.data));
  });

  it("is for an agent that is not there", async () => {
    const dataAgent = `${LOCATION}/dataAgents/nobody`;
    const [refused] = await askAll(server, { messages, dataAgentContext: { dataAgent } });
    assert.deepEqual([refused.error.status, refused.error.details[0].resourceName], ["NOT_FOUND", dataAgent]);
  });
});
