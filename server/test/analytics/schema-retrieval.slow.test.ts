import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { MessageSchema } from "@frontdesk/protos/gda/data_chat_service";
import { createAnalytics, estimateTokens, relevantModel, SCHEMA_TOKENS } from "#analytics";
import { createLogger, systemClock, systemIds } from "#base";
import { createRulePlanners } from "#offline";
import { modelsOf, ScriptedModel, say } from "#testing";
import { LARGE_CATALOG_QUESTIONS } from "./large-catalog.ts";
import { type LargeCatalog, startLargeCatalog } from "./start-large-catalog.ts";

describe("a question to 2,000 tables with 50,000 columns (CA-38)", () => {
  let catalog: LargeCatalog;
  before(async () => {
    catalog = await startLargeCatalog();
  });
  after(() => catalog.close());

  const chosenFor = (question: string, statements: readonly string[] = []) =>
    relevantModel(catalog.model, { question, earlier: [], statements });
  const namesOf = ({ tables }: ReturnType<typeof chosenFor>) =>
    tables.map(({ schema }) => schema.path.slice(1).join("."));

  it("finds the tables of the statement that answers it", () => {
    assert.ok(catalog.model.tables.length >= 2_000);
    assert.ok(catalog.model.tables.reduce((sum, { columns }) => sum + columns.length, 0) >= 50_000);
    const missed = LARGE_CATALOG_QUESTIONS.flatMap(([question, tables]) => {
      const chosen = namesOf(chosenFor(question));
      return tables.split(" ").every((table) => chosen.includes(table)) ? [] : [question];
    });
    assert.deepEqual(missed, []);
  });

  it("finds them by the question before, and by a statement of the author", () => {
    const followUp = { question: "and by office?", earlier: ["average salary by job title"], statements: [] };
    assert.ok(namesOf(relevantModel(catalog.model, followUp)).includes("people.employees"));
    assert.ok(
      namesOf(chosenFor("churn", ["SELECT 1 FROM `acme.clinic.diagnoses_masked`"])).includes("clinic.diagnoses_masked"),
    );
  });

  it("knows a value of a column that has thousands", () => {
    const { tables } = chosenFor("How many orders did brackenridge & sons place?");
    const customers = tables.find(({ schema }) => schema.path.slice(1).join(".") === "sales.customers");
    assert.deepEqual(customers?.columns.find(({ name }) => name === "name")?.found, ["Brackenridge & Sons"]);
  });

  it("tells a language model of the rest that it exists, and of the chosen ones their keys and joins", async () => {
    using model = new ScriptedModel(say(JSON.stringify({ kind: "reply", text: "Which year?" })));
    const analytics = createAnalytics({
      models: modelsOf(model),
      warehouse: catalog.warehouse,
      rules: createRulePlanners(),
      sandbox: { run: () => Promise.reject(new Error("no program runs here")) },
      clock: systemClock,
      ids: systemIds,
      logger: createLogger("silent"),
    });
    const text = "What was the net amount of orders by customer segment?";
    const messages = [
      create(MessageSchema, { kind: { case: "userMessage", value: { kind: { case: "text", value: text } } } }),
    ];
    const { signal } = new AbortController();
    const told: string[] = [];
    for await (const message of analytics.chat({ messages, context: catalog.context, mode: "thinking", signal }))
      told.push(JSON.stringify(message, (_, value) => (typeof value === "bigint" ? String(value) : value)));
    await analytics.close();
    const [{ system = "" } = {}] = model.requests;
    assert.ok(estimateTokens(system) < SCHEMA_TOKENS + 1_000, `${estimateTokens(system)} tokens`);
    assert.match(system, /"acme"\."sales"\."orders": key id\n {2}id INT64/);
    assert.match(system, /orders\.customer_id = customers\.id\n/);
    assert.match(system, /\d+ more tables are not listed/);
    assert.match(told.join("\n"), /Found \d+ of 2029 tables/);
  });
});
