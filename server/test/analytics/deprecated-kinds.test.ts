import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { DescOneof } from "@bufbuild/protobuf";
import { AnalysisEventSchema, DataMessageSchema, SystemMessageSchema } from "@frontdesk/protos/gda/data_chat_service";
import type { TestServer } from "#testing";
import { askAll, inlineQuestion, startDataServer } from "./data-server.ts";

/** Kinds of messages that only servers of the past sent; clients still have them in their histories. */
const LOOKER_QUERY = {
  systemMessage: {
    data: {
      generatedLookerQuery: {
        model: "shop",
        explore: "orders",
        fields: ["orders.region"],
        filters: [{ field: "orders.region", value: "" }],
        sorts: ["orders.region desc"],
        limit: "10",
        queryId: "42",
        clientId: "AbC123",
      },
    },
    groupId: 0,
  },
};
const CLARIFICATION = {
  systemMessage: {
    clarification: {
      questions: [
        {
          question: "Which region?",
          selectionMode: "SINGLE_SELECT",
          options: ["North", "South"],
          clarificationQuestionType: "FILTER_VALUES",
        },
      ],
    },
  },
};

const namesOf = (oneof: DescOneof | undefined) => oneof?.fields.map(({ jsonName }) => jsonName).sort();

describe("kinds of messages", () => {
  let server: TestServer;
  before(async () => {
    server = await startDataServer();
  });
  after(() => server[Symbol.asyncDispose]());

  it("that are deprecated are accepted in a history, and never sent", async () => {
    const asked = { userMessage: { text: "total amount by region" } };
    const first = await askAll(server, inlineQuestion(asked.userMessage.text));
    const history = [asked, CLARIFICATION, LOOKER_QUERY, ...first];
    const follow = { userMessage: { text: "only the North" } };
    const elements = await askAll(server, inlineQuestion("", { messages: [...history, follow] }));
    const rows = elements.flatMap(({ systemMessage }) => systemMessage?.data?.result?.data ?? []);
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [["North", "132.5"]],
      JSON.stringify(elements[0]),
    );
    assert.doesNotMatch(JSON.stringify([...first, ...elements]), /generatedLookerQuery|clarification/);
  });

  it("are these; a new one of the definitions is sent, or said here why not", () => {
    assert.deepEqual(namesOf(SystemMessageSchema.oneofs[0]), [
      ...["analysis", "chart", "clarification", "data", "error", "exampleQueries", "schema", "text"],
    ]);
    assert.deepEqual(namesOf(DataMessageSchema.oneofs[0]), [
      ...["bigQueryJob", "generatedLookerQuery", "generatedSql", "matchedQuery", "query", "result"],
    ]);
    assert.deepEqual(namesOf(AnalysisEventSchema.oneofs[0]), [
      ...["code", "coderInstruction", "error", "executionError", "executionOutput", "plannerReasoning"],
      ...["resultCsvData", "resultNaturalLanguage", "resultReferenceData", "resultVegaChartJson"],
    ]);
  });
});
