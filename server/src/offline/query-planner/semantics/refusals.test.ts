import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PlanRequest, SemanticModel } from "#analytics";
import { createRulePlanners } from "../../rule-planners.ts";
import { askedTables } from "../__fixtures__/asked-tables.ts";

const NOW = new Date("2026-01-15T00:00:00Z");

const FILES = {
  customers: "customer_id,customer_name,city\n1,Ann,York\n2,Bob,Leeds\n",
  orders:
    "order_id,customer_id,order_date,freight,total,status\n1,1,2025-01-03,2.5,40,open\n2,2,2025-02-03,3.5,160,shipped\n",
  products: "product_id,product_name,price\n1,Lamp,20\n2,Pen,1\n",
  refunds: "refund_id,refund_date,amount\n1,2025-01-05,7\n2,2025-02-05,9\n",
  movies: "movie_id,title,release_year,gross\n1,Up,2009,$130.75\n2,Heat,1995,$67.40\n",
  places: 'place,latitude,zip_code,fare\nA,51.5,4711,"1.234,56 €"\nB,50.1,4712,"99,00 €"\n',
  games: "game_no,home,away,points\n1,Ajax,Porto,3\n2,Porto,Lyon,3\n3,Lyon,Ajax,1\n",
  penguins: "species,Body Mass (g)\nAdelie,3700\nGentoo,5000\n",
  boards: `board,width\nOak,"1${" ".repeat(20_000)}x"\nFir,"${" ".repeat(20_000)}2 x"\n`,
} as const;

describe("questions without a language model (CA-35)", () => {
  const tables = askedTables(FILES, NOW);

  it("reads values with thousands of blanks as quickly as others, which are no numbers", () => {
    assert.equal(tables.ask("minimum width of boards").kind, "query");
  });

  for (const [question, why] of [
    ["which customer spent the most?", /By what should customers be ranked\?/],
    ["top 5 customers", /By what should customers be ranked\?/],
    ["products by revenue", /I know no “revenue” to group by/],
    ["total by colour", /I know no “colour” to group by/],
    ["average weight of orders", /“weight”, “average”, and a list of rows is not the number/],
    ["how much in York", /I do not know what to add up/],
    ["average freight of 5 total", /“5” may be of freight or of total/],
    ["average freight of total", /freight and total are both numbers/],
    ["total latitude", /is a place on the map/],
    ["average zip code", /zip code of places only identifies rows/],
    ["maximum gross", /gross of movies is a text.*so the highest is that of letters/],
    ["minimum fare", /fare of places is a text, such as “1\.234,56 €”.*so the lowest is that of letters/],
    ["movies by month", /release year of movies has years only, so nothing finer can be shown/],
    ["cheerful penguins", /“cheerful”, and a list of all rows/],
    ["orders over 100 or under 10", /which column “> 100” is about/],
    ["orders with status open or total over 150", /different columns with AND only/],
    [
      "customers whose orders were all shipped",
      /customers with such orders, and customers without, but not those whose/,
    ],
    ["how many customers have only open orders", /but not those whose orders are all so/],
    ["total release year", /is a year; adding years up says nothing/],
    ["average gross", /gross of movies is a text, such as “\$130\.75”|gross of movies is a text, such as “\$67\.40”/],
    ["movie with the highest gross", /gross of movies is a text, so nothing can be ranked by it/],
  ] as const)
    it(`refuses “${question}”, whose answer would look right`, () => {
      const found = tables.ask(question);
      assert.equal(found.kind, "reply", JSON.stringify(found));
      assert.match(found.kind === "reply" ? found.text : "", why);
    });

  it("joins tables by keys that names and values show, and says so", () => {
    const found = tables.ask("average total by city");
    assert.ok(found.kind === "query");
    assert.match(found.query.sql, /"orders"\."customer_id" = "customers"\."customer_id"/);
    assert.match(found.query.warnings.join(" "), /joined by customer_id, which fits by name and values/);
  });

  it("offers amounts to rank by", () => {
    const found = tables.ask("top products");
    assert.deepEqual(found.kind === "reply" && found.followUps, ["highest price by products"]);
  });

  for (const [question, sql] of [
    [
      "customer with the most orders",
      /count\(\*\).*GROUP BY "customers"."customer_id".*QUALIFY rank\(\) OVER \(ORDER BY count\(\*\) DESC\) <= 1\n/s,
    ],
    ["how many movies since 2010", /^SELECT count\(\*\).*WHERE "movies"\."release_year" >= 2010$/s],
    ["how many movies from 1990 to 1999", /"release_year" BETWEEN 1990 AND 1999$/],
    ["number of movies by year", /GROUP BY "movies"\."release_year"\nORDER BY "movies"\."release_year"/],
    ["how many are shipped", /^SELECT count\(\*\).*"status" = 'shipped'$/s],
    ["average freight per order", /^SELECT avg\("orders"\."freight"\) AS \S+\s+FROM [^ ]+ AS "orders"$/],
    [
      "average freight and total freight",
      /^SELECT avg\([^)]+"freight"\) AS "average_freight",\s+sum\([^)]+"freight"\) AS "total_freight"\s+FROM/,
    ],
    ["minimum and maximum price", /min\([^)]+"price"\).*max\([^)]+"price"\)/s],
    ["list the prices", /^SELECT "products"\.\*/],
    ["total amount of refunds by month", /sum\("refunds"\."amount"\)/],
    ["refund by month", /date_trunc\('month', "refunds"\."refund_date"\)/],
    ["how many movies per release year", /count\(\*\).*GROUP BY "movies"\."release_year"/s],
    ["how many movie", /^SELECT count\(\*\)/],
    ["average body mass by species", /avg\("penguins"\."Body Mass \(g\)"\)/],
  ] as const)
    it(`understands “${question}” as it is meant`, () => {
      const found = tables.ask(question);
      assert.equal(found.kind, "query", JSON.stringify(found));
      assert.match(found.kind === "query" ? found.query.sql : "", sql);
    });

  it("tells that a value is one of several columns", () => {
    const found = tables.ask("how many games of Ajax");
    const doubts = found.kind === "query" ? found.query.warnings.join(" ") : "";
    assert.match(doubts, /“Ajax” is read as a home of games; it could also be an away of games/);
  });

  it("keeps the aggregate of the question before", () => {
    const found = tables.ask("median total by status", "what about freight?");
    assert.ok(found.kind === "query", JSON.stringify(found));
    assert.match(found.query.sql, /median\("orders"\."freight"\).*GROUP BY "orders"\."status"/s);
  });

  it("shows rows that are equal to the last one of a ranking, and says so", async () => {
    const { sql: planner } = createRulePlanners();
    const { signal } = new AbortController();
    const question = "top 1 home by points";
    const { model } = tables;
    const request: PlanRequest = { question, past: [], model, examples: [], analysisAllowed: false, now: NOW, signal };
    const plan = await planner.plan(request, []);
    assert.ok(plan.kind === "query");
    const limits = { maxRows: 10, maxBytes: 1_000, timeoutMs: 5_000 };
    const result = await model.source.query({ sql: plan.sql, limits, signal });
    assert.deepEqual(result.rows, [
      ["Ajax", "3"],
      ["Porto", "3"],
    ]);
    const { text, warnings = [] } = await planner.answer(request, plan, [{ name: plan.name, sql: plan.sql, result }]);
    assert.match(warnings.join(" "), /2 rows are shown in place of 1, because the last ones have equal numbers/);
    assert.match(text, /2 rows are shown in place of 1/);
  });

  it("tells nothing found from a time that may be outside the data, before its days are known", async () => {
    const { sql: planner } = createRulePlanners();
    const { signal } = new AbortController();
    const doubtsOf = async (question: string, asked: SemanticModel) => {
      const request: PlanRequest = {
        question,
        past: [],
        model: asked,
        examples: [],
        analysisAllowed: false,
        now: NOW,
        signal,
      };
      const plan = await planner.plan(request, []);
      assert.ok(plan.kind === "query");
      const limits = { maxRows: 10, maxBytes: 1_000, timeoutMs: 5_000 };
      const result = await asked.source.query({ sql: plan.sql, limits, signal });
      const { warnings = [] } = await planner.answer(request, plan, [{ name: plan.name, sql: plan.sql, result }]);
      return warnings.join(" ");
    };
    const { model } = tables;
    const unread = {
      ...model,
      tables: model.tables.map((table) => ({
        ...table,
        columns: table.columns.map(({ range: _, ...column }) => column),
      })),
    };
    assert.match(await doubtsOf("how many orders in 2019", unread), /which days order date covers is not known yet/);
    assert.doesNotMatch(await doubtsOf("how many orders in 2025", unread), /not known yet/);
    assert.match(await doubtsOf("how many orders in 2019", model), /There is nothing in 2019: order date begins on/);
  });

  it("writes years without separators", async () => {
    const { sql: planner } = createRulePlanners();
    const { signal } = new AbortController();
    const question = "number of movies by year";
    const { model } = tables;
    const request: PlanRequest = { question, past: [], model, examples: [], analysisAllowed: false, now: NOW, signal };
    const plan = await planner.plan(request, []);
    assert.ok(plan.kind === "query");
    const limits = { maxRows: 10, maxBytes: 1_000, timeoutMs: 5_000 };
    const result = await model.source.query({ sql: plan.sql, limits, signal });
    const { text } = await planner.answer(request, plan, [{ name: plan.name, sql: plan.sql, result }]);
    assert.match(text, /1995/);
    assert.doesNotMatch(text, /1,995/);
  });
});
