import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { clone, create } from "@bufbuild/protobuf";
import { ContextSchema, ExampleQuerySchema } from "@frontdesk/protos/gda/context";
import { type Message, MessageSchema, TextMessage_TextType as TextType } from "@frontdesk/protos/gda/data_chat_service";
import { type AnalyticsDeps, type ChatRequest, createAnalytics } from "#analytics";
import { createLogger, systemIds } from "#base";
import { createRulePlanners } from "#offline";
import { modelsOf, ScriptedModel, say } from "#testing";
import { SHOP_NOW, type Shop, startShop } from "./start-shop.ts";

const plan = (sql: string) => say(JSON.stringify({ kind: "query", name: "found", sql, reasoning: "Reads." }));
const answer = (text: string) => say(JSON.stringify({ text, follow_ups: [] }));

describe("what an answer could not have, it says", () => {
  let shop: Shop;
  before(async () => {
    shop = await startShop();
  });
  after(() => shop.close());

  /** The errors, the last text and its warnings. */
  async function ask(
    script: readonly ReturnType<typeof say>[],
    {
      question = "Which orders are there?",
      limits = {},
      ...more
    }: Partial<ChatRequest> & { question?: string } & Pick<AnalyticsDeps, "limits">,
  ) {
    using model = new ScriptedModel(...script);
    const analytics = createAnalytics({
      ...{ models: modelsOf(model), warehouse: shop.warehouse, rules: createRulePlanners(), limits },
      ...{ clock: { now: () => SHOP_NOW.getTime() }, ids: systemIds, logger: createLogger("silent") },
      sandbox: { run: () => assert.fail("no program runs here") },
    });
    const request = { context: shop.context, mode: "fast" as const, signal: new AbortController().signal, ...more };
    const asked = create(MessageSchema, {
      kind: { case: "userMessage", value: { kind: { case: "text", value: question } } },
    });
    const told: Message[] = [];
    for await (const message of analytics.chat({ ...request, messages: [asked] })) told.push(message);
    const kinds = told.flatMap(({ kind }) => (kind.case === "systemMessage" ? [kind.value.kind] : []));
    const texts = kinds.flatMap(({ case: name, value }) => (name === "text" ? [value] : []));
    const final = texts.findLast(({ textType }) => textType === TextType.FINAL_RESPONSE);
    return {
      errors: kinds.flatMap(({ case: name, value }) => (name === "error" ? [value.text] : [])),
      text: final?.parts.join("") ?? "",
      warnings: final?.warnings,
      queried: kinds.some(({ case: name, value }) => name === "data" && value.kind.case === "generatedSql"),
    };
  }

  it("more rows than were read", async () => {
    const { text, warnings } = await ask(
      [plan("SELECT order_id FROM local.shop.orders"), answer("These are orders.")],
      {
        limits: { maxRows: 5 },
      },
    );
    assert.equal(text, "These are orders.\n\n*Only the first 5 rows were read; there are more.*");
    assert.deepEqual(warnings, ["Only the first 5 rows were read; there are more."]);
  });

  it("a row that is larger than a result may be", async () => {
    const sql = "SELECT repeat(name, 1000000) AS name FROM local.shop.stores";
    const { text, errors } = await ask([plan(sql), plan(sql)], {});
    assert.match(errors[0] ?? "", /row .*3,?000,?000|3 MB/i);
    assert.match(text, /^I could not answer this from the data\./);
  });

  it("a verified query that does not run", async () => {
    const context = clone(ContextSchema, shop.context);
    const query = { case: "sqlQuery", value: "SELECT nothing FROM local.shop.stores" } as const;
    context.exampleQueries = [create(ExampleQuerySchema, { naturalLanguageQuestion: "How many stores?", query })];
    const script = [plan("SELECT count(*) AS stores FROM local.shop.stores"), answer("There are 10 stores.")];
    const { text, warnings } = await ask(script, { context, question: "How many stores?" });
    assert.match(
      warnings?.join() ?? "",
      /^The verified query for “How many stores\?” could not be run and was not used: .*nothing/,
    );
    assert.match(text, /^There are 10 stores\.\n\n\*The verified query/);
    assert.doesNotMatch(text, /Answered by the verified query/);
  });

  it("a parameter of a verified query that the question gives no value", async () => {
    const context = clone(ContextSchema, shop.context);
    const sql = "SELECT name FROM local.shop.customers WHERE city = @city AND segment = @customer_segment";
    const query = { case: "sqlQuery", value: sql } as const;
    context.exampleQueries = [create(ExampleQuerySchema, { naturalLanguageQuestion: "Who lives in @city?", query })];
    const { text, queried } = await ask([], { context, question: "Who lives in Dublin?" });
    assert.match(text, /needs customer segment\. Which customer segment do you mean\?/);
    assert.equal(queried, false);
  });
});
