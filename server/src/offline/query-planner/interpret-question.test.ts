import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SemanticModel } from "#analytics";
import { NOW, openSampleShop, type SampleShop } from "./__fixtures__/sample-shop.ts";
import { interpretQuestion } from "./interpret-question.ts";
import { describeResult } from "./responses/describe-result.ts";

/** A question, and the same asked in SQL by hand; columns go by position. */
const CASES: readonly (readonly [question: string, sql: string])[] = [
  [
    "How many orders were there last month?",
    "SELECT count(*) FROM orders WHERE ordered_at >= DATE '2026-06-01' AND ordered_at < DATE '2026-07-01'",
  ],
  [
    "revenue by category",
    "SELECT category, sum(quantity * unit_price - discount) r FROM order_items JOIN products USING (product_id) GROUP BY 1 ORDER BY r DESC",
  ],
  [
    "What was the total revenue in 2025?",
    "SELECT sum(quantity * unit_price - discount) FROM order_items JOIN orders USING (order_id) WHERE year(ordered_at) = 2025",
  ],
  [
    "top 5 products by units sold",
    "SELECT name, sum(quantity) u FROM order_items JOIN products USING (product_id) GROUP BY product_id, name ORDER BY u DESC, name LIMIT 5",
  ],
  [
    "Which store had the highest revenue in Q1 2026?",
    "SELECT s.name, sum(quantity * unit_price - discount) r FROM order_items JOIN orders USING (order_id) JOIN stores s USING (store_id) WHERE ordered_at >= DATE '2026-01-01' AND ordered_at < DATE '2026-04-01' GROUP BY 1 ORDER BY r DESC LIMIT 1",
  ],
  [
    "How many customers have more than 10 orders?",
    "SELECT count(*) FROM (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) > 10)",
  ],
  [
    "What percentage of orders were returned?",
    "SELECT round(100.0 * count(*) FILTER (status = 'Returned') / count(*), 2) FROM orders",
  ],
  [
    "how many different customers bought Tea in 2025?",
    "SELECT count(DISTINCT customer_id) FROM order_items JOIN orders USING (order_id) JOIN products USING (product_id) WHERE category = 'Tea' AND year(ordered_at) = 2025",
  ],
  [
    "monthly revenue in 2025 for Tea and Coffee",
    "SELECT date_trunc('month', ordered_at)::DATE m, sum(quantity * unit_price - discount) FROM order_items JOIN orders USING (order_id) JOIN products USING (product_id) WHERE category IN ('Tea', 'Coffee') AND year(ordered_at) = 2025 GROUP BY 1 ORDER BY 1",
  ],
  ["average price by category", "SELECT category, avg(price) p FROM products GROUP BY 1 ORDER BY p DESC"],
  [
    "average revenue per order",
    "SELECT sum(quantity * unit_price - discount) / count(DISTINCT order_id) FROM order_items",
  ],
  ["what is the most expensive product?", "SELECT name, price FROM products ORDER BY price DESC LIMIT 1"],
  ["when was the first order", "SELECT min(ordered_at) FROM orders"],
  [
    "number of cancelled orders per store in 2026",
    "SELECT s.name, count(*) n FROM orders JOIN stores s USING (store_id) WHERE status = 'Cancelled' AND year(ordered_at) = 2026 GROUP BY s.store_id, s.name ORDER BY n DESC, s.name",
  ],
  [
    "revenue growth by month in 2026",
    "SELECT * FROM (SELECT date_trunc('month', ordered_at)::DATE m, sum(quantity * unit_price - discount) r, round(100.0 * (r - lag(r) OVER (ORDER BY m)) / lag(r) OVER (ORDER BY m), 2) FROM order_items JOIN orders USING (order_id) GROUP BY 1) WHERE year(m) = 2026 ORDER BY m",
  ],
  [
    "revenue last month compared with the month before",
    "SELECT * FROM (SELECT date_trunc('month', ordered_at)::DATE m, sum(quantity * unit_price - discount) r, round(100.0 * (r - lag(r) OVER (ORDER BY m)) / lag(r) OVER (ORDER BY m), 2) FROM order_items JOIN orders USING (order_id) GROUP BY 1) WHERE m = DATE '2026-06-01'",
  ],
  [
    "compare revenue in Leeds and York by store city",
    "SELECT city, sum(quantity * unit_price - discount) r FROM order_items JOIN orders USING (order_id) JOIN stores USING (store_id) WHERE city IN ('Leeds', 'York') GROUP BY 1 ORDER BY r DESC",
  ],
];

const PRODUCTS = "SELECT count(*) FROM products WHERE";
const CUSTOMERS = "SELECT count(*) FROM customers WHERE";
const ORDERS = "SELECT count(*) FROM orders WHERE";
const BY_CATEGORY =
  "SELECT category, sum(quantity * unit_price - discount) r FROM order_items JOIN products USING (product_id) GROUP BY 1";

/** Questions whose conditions are written as signs, ranges or quotes, with the same in SQL. */
const WRITTEN_COMPARISONS: readonly (readonly [question: string, sql: string])[] = [
  ["how many products with price > 20", `${PRODUCTS} price > 20`],
  ["how many products with price>20", `${PRODUCTS} price > 20`],
  ["how many products with price >= 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price>=15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price => 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price ≥ 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price < 15.95", `${PRODUCTS} price < 15.95`],
  ["how many products with price <= 15.95", `${PRODUCTS} price <= 15.95`],
  ["how many products with price ≤ 15.95", `${PRODUCTS} price <= 15.95`],
  ["how many products with price = 15.95", `${PRODUCTS} price = 15.95`],
  ["how many products with price == 15.95", `${PRODUCTS} price = 15.95`],
  ["how many products with price != 15.95", `${PRODUCTS} price <> 15.95`],
  ["how many products with price <> 15.95", `${PRODUCTS} price <> 15.95`],
  ["how many products with price ≠ 15.95", `${PRODUCTS} price <> 15.95`],
  ["how many products with price not equal to 15.95", `${PRODUCTS} price <> 15.95`],
  ["how many products with price more than or equal to 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price less than or equal to 15.95", `${PRODUCTS} price <= 15.95`],
  ["how many products with price above or equal to 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price no less than 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price 20 or above", `${PRODUCTS} price >= 20`],
  ["how many products with price 20+", `${PRODUCTS} price >= 20`],
  ["how many products with price: > 20", `${PRODUCTS} price > 20`],
  ["how many products with price > $20", `${PRODUCTS} price > 20`],
  ["how many products with price > 1,000", `${PRODUCTS} price > 1000`],
  ["how many products with price > -5", `${PRODUCTS} price > -5`],
  ["how many products with price > 20, cost < 15", `${PRODUCTS} price > 20 AND cost < 15`],
  ["how many products with price > 10 and < 20", `${PRODUCTS} price > 10 AND price < 20`],
  ["how many products with price between 10-20", `${PRODUCTS} price BETWEEN 10 AND 20`],
  ["how many products with price 10-20", `${PRODUCTS} price BETWEEN 10 AND 20`],
  ["how many products with price 10 – 20", `${PRODUCTS} price BETWEEN 10 AND 20`],
  ["how many products with price from 10 to 20", `${PRODUCTS} price BETWEEN 10 AND 20`],
  ["how many products with category = Tea and price > 10", `${PRODUCTS} category = 'Tea' AND price > 10`],
  ["how many products with price > average", `${PRODUCTS} price > (SELECT avg(price) FROM products)`],
  ["how many products with name = 'A > B'", `${PRODUCTS} name = 'A > B'`],
  ["how many orders with status = shipped", `${ORDERS} status = 'Shipped'`],
  ["how many orders with status != Shipped", `${ORDERS} status <> 'Shipped'`],
  ["how many orders with status <> 'shipped'", `${ORDERS} status <> 'Shipped'`],
  ["how many orders with order id > 100", `${ORDERS} order_id > 100`],
  ["how many customers with city != London and segment = Trade", `${CUSTOMERS} city <> 'London' AND segment = 'Trade'`],
  ["how many customers with segment not equal to Trade", `${CUSTOMERS} segment <> 'Trade'`],
  [
    "how many customers joined 2024-01-01 - 2024-01-31",
    `${CUSTOMERS} joined_on >= '2024-01-01' AND joined_on < '2024-02-01'`,
  ],
  ["how many customers not in London with segment Trade", `${CUSTOMERS} city <> 'London' AND segment = 'Trade'`],
  ["how many customers joined > 2024-01-01", `${CUSTOMERS} joined_on > '2024-01-01'`],
  ["how many customers joined >= 2024-01-01", `${CUSTOMERS} joined_on >= '2024-01-01'`],
  ["how many customers joined < 2024-01-01", `${CUSTOMERS} joined_on < '2024-01-01'`],
  ["how many customers joined <= 2024-01-01", `${CUSTOMERS} joined_on <= '2024-01-01'`],
  ["how many customers joined = 2024-01-01", `${CUSTOMERS} joined_on = '2024-01-01'`],
  ["how many customers joined > 2023", `${CUSTOMERS} joined_on >= '2024-01-01'`],
  ["how many customers joined later than 2024-01-01", `${CUSTOMERS} joined_on > '2024-01-01'`],
  [
    "how many customers joined >= 2024-01-01 and joined < 2024-02-01",
    `${CUSTOMERS} joined_on >= '2024-01-01' AND joined_on < '2024-02-01'`,
  ],
  [
    "how many customers with > 10 orders",
    "SELECT count(*) FROM (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) > 10)",
  ],
  [
    "how many orders with >=3 order items",
    "SELECT count(*) FROM (SELECT order_id FROM order_items GROUP BY 1 HAVING count(*) >= 3)",
  ],
  ["categories with revenue > 400000", `${BY_CATEGORY} HAVING r > 400000 ORDER BY r DESC`],
  ["categories with revenue >400k", `${BY_CATEGORY} HAVING r > 400000 ORDER BY r DESC`],
];

/** Questions with a comparison that cannot be computed, or a date that does not exist, and what is said of it. */
const IMPOSSIBLE: readonly (readonly [question: string, words: RegExp])[] = [
  ["median order value by month by store", /“median”/],
  ["median revenue by store", /“median”/],
  ["maximum revenue by store", /“maximum”/],
  ["revenue in the first 10 days of October", /“first 10 days”/],
  ["revenue last weekend", /“last”, “weekend”/],
  ["revenue on Black Friday", /“Friday”/],
  ["revenue this weekend", /“weekend”/],
  ["revenue on the first Monday of October 2025", /“Monday”/],
  ["how many customers ordered in both April and May", /“both”/],
  ["revenue share by store last month vs previous month", /shares and growth/],
  ["average discount percentage", /100 % of itself/],
  ["revenue in week 53 of 2026", /“week”.*“53”/],
  ["revenue on 15.10.2025", /“15\.10”/],
  ["revenue on 10/11/2025", /“10”.*“11”/],
  ["revenue 15th October", /“15th”/],
  ["customers who ordered twice", /“twice”/],
  ["second best store by revenue", /“second”/],
  ["revenue for each of the last 6 months", /“by month in the last 6 months”/],
  ["orders without discount", /Rows without discount may have none stored, or zero/],
  ["revenue until yesterday", /“until yesterday”/],
  ["revenue from May 2025 to now", /“from May 2025 to now”/],
  ["revenue from last month to yesterday", /“from last month to yesterday”/],
  ["revenue month to date", /“month”/],
  ["top 10% of customers", /“top 10%”/],
  ["top 10 percent of products by revenue", /“top 10 percent”/],
  ["customers who joined in 2024 and ordered in 2026", /one time only/],
  ["number of customers with more than 5 orders by country", /over all/],
  ["last 3 orders of Ada Dunn", /“Ada”, “Dunn”/],
  ["how many products with price > category", /“> category”/],
  ["how many products with 10 < price", /“< price”/],
  ["products with price > 20% of cost", /“20%”/],
  ["how many products with price ~ 20", /“20”/],
  ["how many products with price > 1,5", /“1”/],
  ["how many orders with channel = Fax", /“= Fax”/],
  ["how many customers joined != 2024-01-01", /“<> 2024”/],
  ["how many customers joined > 'x'", /“> x”/],
  ["order id > 99999999999999999999999", /“99999999999999999999999” has more digits than I can compare/],
  ["how many orders with order id = 9007199254740993", /“9007199254740993” has more digits/],
  ["orders 5 and 6", /order id cannot be 5 and 6 at once/],
  ["revenue on 30 February 2026", /There is no 30 February 2026 in the calendar/],
  ["revenue on February 30, 2026", /There is no February 30 2026 in the calendar/],
  ["revenue on 30th of February 2026", /There is no 30th of February 2026 in the calendar/],
  ["revenue since 31 April 2026 by store", /There is no 31 April 2026 in the calendar/],
  ["revenue on 31 April", /There is no 31 April in the calendar/],
  ["revenue on 29 February 2025", /There is no 29 February 2025 in the calendar/],
  ["revenue on 2026-13-01", /There is no 2026-13-01 in the calendar/],
  ["revenue on 2026-00-10", /There is no 2026-00-10 in the calendar/],
  ["orders > 2026-02-30", /There is no 2026-02-30 in the calendar/],
  ["revenue from 1 February 2026 to 30 February 2026", /There is no 30 February 2026 in the calendar/],
  ["revenue in 2026-13", /There is no 2026-13 in the calendar/],
  ["revenue in week 54", /There is no week 54 in the calendar/],
  ["revenue in week 53 of 2025", /There is no week 53 of 2025 in the calendar/],
  ["revenue in Q5 2026", /There is no Q5 2026 in the calendar/],
];

describe("the rules for questions to data", () => {
  let shop: SampleShop;
  let model: SemanticModel;
  before(async () => {
    shop = await openSampleShop();
    model = shop.model;
  });
  after(() => shop.close());
  const parsed = (...questions: readonly string[]) => shop.parsed(...questions);
  const rowsOf = (sql: string) => shop.rowsOf(sql);

  for (const [question, sql] of [...CASES, ...WRITTEN_COMPARISONS]) {
    it(`answers “${question}” as SQL written by hand does`, async () => {
      assert.deepEqual(await rowsOf(parsed(question).sql), await rowsOf(sql));
    });
  }

  for (const [question, words] of IMPOSSIBLE) {
    it(`refuses “${question}” and says why`, () => {
      const interpretation = interpretQuestion([question], model, NOW);
      assert.equal(interpretation.kind, "reply", JSON.stringify(interpretation));
      assert.match(interpretation.kind === "reply" ? interpretation.text : "", words);
    });
  }

  for (const refused of [
    "revenue on 30 February 2026",
    "revenue of Unobtainium",
    "late orders by store",
    "delete all orders",
  ])
    it(`goes on from the question before “${refused}”, which was refused, and says so (CA-68)`, () => {
      const found = parsed("revenue by store in 2025", refused, "only Web orders");
      assert.equal(found.sql, parsed("revenue by store in 2025", "only Web orders").sql);
      assert.match(
        found.warnings.join(),
        /goes on from “revenue by store in 2025”, the last question that was answered/,
      );
      const whole = parsed("revenue by store in 2025", refused, "number of orders by channel");
      assert.equal(whole.sql, parsed("number of orders by channel").sql);
      assert.doesNotMatch(whole.warnings.join(), /goes on from/);
    });

  it("goes on from nothing where no question was answered (CA-68)", () => {
    const found = interpretQuestion(["revenue of Unobtainium", "by store"], model, NOW);
    assert.match(found.kind === "reply" ? found.text : "", /question before was not answered.*Ask it as a whole/);
  });

  it("ranks what the question before was about", () => {
    assert.match(parsed("revenue by store", "top 2").sql, /QUALIFY rank\(\) OVER .* <= 2/s);
  });

  it("draws the number that is asked for: the running total, the share, the growth", () => {
    const drawn = (question: string) => {
      const { chart } = parsed(question);
      return [chart?.y, chart?.title];
    };
    assert.deepEqual(drawn("running total of orders by month"), [
      "running_number_of_orders",
      "Running number of orders by month",
    ]);
    assert.deepEqual(drawn("share of orders by channel"), ["share_percent", "Share of number of orders by channel"]);
    assert.deepEqual(drawn("revenue growth by quarter"), ["growth_percent", "Growth of revenue by quarter"]);
  });

  it("says that rows are counted only where they meet what they are split by", () => {
    assert.match(
      parsed("number of orders by category").warnings.join(),
      /Only orders with some order items are counted/,
    );
    assert.doesNotMatch(parsed("number of orders by store").warnings.join(), /are counted/);
    assert.doesNotMatch(parsed("revenue by category").warnings.join(), /are counted/);
  });

  it("tells what data there is (CA-69)", () => {
    for (const question of ["what data do you have?", "help", "list the tables", "how many rows are there?"]) {
      const found = interpretQuestion([question], model, NOW);
      assert.ok(found.kind === "reply", question);
      assert.match(found.text, /There are 5 tables\.\n- \*\*orders\*\*.*times ordered at.*\n- \*\*order items\*\*/s);
    }
    const large = interpretQuestion(["what data do you have?"], { ...model, left: 1_290 }, NOW);
    assert.match(large.kind === "reply" ? large.text : "", /^There are 1,295 tables\..*\n- 1,290 more, …$/s);
    const one = interpretQuestion(["which columns are in stores?"], model, NOW);
    assert.match(one.kind === "reply" ? one.text : "", /^There is 1 table\.\n- \*\*stores\*\*/);
    assert.match(parsed("how many rows are there in stores").sql, /^SELECT count\(\*\) AS "number_of_stores"/);
  });

  it("knows the days of leap years and months that there are", () => {
    assert.match(parsed("revenue on 29 February 2028").sql, /2028-02-29/);
    assert.match(parsed("revenue in 2026-03").sql, /2026-03-01.*2026-04-01/s);
  });

  it("changes only the parts of a follow-up", async () => {
    const asked = ["revenue by month in 2025", "only Web orders", "and by category"];
    const sql = `SELECT date_trunc('month', ordered_at)::DATE m, category, sum(quantity * unit_price - discount)
      FROM order_items JOIN orders USING (order_id) JOIN products USING (product_id)
      WHERE channel = 'Web' AND year(ordered_at) = 2025 GROUP BY 1, 2 ORDER BY 1, 2`;
    assert.deepEqual(await rowsOf(parsed(...asked).sql), await rowsOf(sql));
  });

  it("takes a word that several tables have of the table that the question before counted", async () => {
    const sql = "SELECT country, count(*) n FROM customers GROUP BY 1 ORDER BY n DESC, 1";
    assert.deepEqual(await rowsOf(parsed("how many customers are there", "by country").sql), await rowsOf(sql));
  });

  for (const [before, question, words] of [
    ["revenue in June 2026", "versus May", /Name both times/],
    ["which store sold the most", "and the least", /“least”/],
  ] as const) {
    it(`refuses “${question}” after “${before}”`, () => {
      const interpretation = interpretQuestion([before, question], model, NOW);
      assert.match(interpretation.kind === "reply" ? interpretation.text : "", words);
    });
  }

  it("adds no column that rows are to be sorted by", () => {
    const { sql, warnings } = parsed("revenue by category sorted by name");
    assert.equal(sql, parsed("revenue by category").sql);
    assert.match(warnings.join(), /“sorted by name”/);
  });

  it("redraws the last rows when only the chart changes", () => {
    assert.deepEqual(interpretQuestion(["revenue by category", "make that a pie chart"], model, NOW), {
      kind: "redraw",
      chart: { mark: "pie" },
    });
  });

  it("refuses words that it does not know, and reports resolved ambiguities", () => {
    const found = interpretQuestion(["revenue of Unobtainium by store"], model, NOW);
    assert.ok(found.kind === "reply");
    assert.match(found.text, /do not understand “Unobtainium”, and without it the answer would be another question's/);
    assert.deepEqual(found.followUps, ["Revenue, by store"]);
    assert.match(parsed("revenue in London").warnings.join(), /“London” is read as a city of stores/);
  });

  for (const [question, doubt] of [
    ["number of orders with discount", /No orders were chosen by discount/],
    ["how many customers bought Tea and Coffee", /say “both Tea and Coffee”/],
  ] as const) {
    it(`says of “${question}” what the answer leaves open`, () => {
      assert.match(parsed(question).warnings.join(), doubt);
    });
  }

  it("averages a count of rows that is said without “number of”", () => {
    assert.equal(parsed("average orders per customer").sql, parsed("average number of orders per customer").sql);
  });

  it("offers suggestions where it understands nothing", () => {
    const interpretation = interpretQuestion(["What is the weather in Paris?"], model, NOW);
    assert.equal(interpretation.kind, "reply");
    assert.match(interpretation.kind === "reply" ? interpretation.text : "", /“weather”, “Paris”/);
    for (const question of interpretation.kind === "reply" ? interpretation.followUps : []) parsed(question);
  });

  it("refuses where it understands a value but not what is asked of it", () => {
    for (const word of ["weather", "colour"]) {
      const interpretation = interpretQuestion([`What is the ${word} in London?`], model, NOW);
      assert.equal(interpretation.kind, "reply");
      assert.match(interpretation.kind === "reply" ? interpretation.text : "", new RegExp(`“${word}”`));
    }
  });

  it("describes numbers that are cells of the rows", async () => {
    const query = parsed("revenue by category");
    const result = await shop.query(query.sql);
    const [first] = result.rows;
    const shown = Number(first?.[1]).toLocaleString("en-US", { maximumFractionDigits: 2 });
    assert.ok(describeResult(query, result).includes(`${first?.[0]}: revenue **${shown}**`));
  });
});
