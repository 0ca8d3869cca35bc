/** Questions about the sample shop, asked one after the other, and what the last one asks in SQL by hand; columns go by position. */
interface ShopQuestion {
  readonly questions: readonly string[];
  readonly sql: string;
}

const R = "sum(quantity * unit_price - discount)";
const LINES = "order_items JOIN orders USING (order_id) JOIN products USING (product_id)";
const BUYERS = "order_items JOIN orders USING (order_id) JOIN customers USING (customer_id)";
const SHOPS = "order_items JOIN orders USING (order_id) JOIN stores s USING (store_id)";
const MONTH = "date_trunc('month', ordered_at)::DATE";
const IN_2026 = "year(ordered_at) = 2026";

/** Growth over units of the calendar, and which of them are shown. */
function growth(unit: string, shown: string): string {
  return `SELECT * FROM (SELECT date_trunc('${unit}', ordered_at)::DATE d, ${R} r, round(100.0 * (r - lag(r) OVER (ORDER BY d)) / lag(r) OVER (ORDER BY d), 2)
    FROM order_items JOIN orders USING (order_id) GROUP BY 1) WHERE ${shown} ORDER BY d`;
}

function bought(category: string): string {
  return `SELECT customer_id FROM ${LINES} WHERE category = '${category}'`;
}

const PAIRS: readonly (readonly [questions: string | readonly string[], sql: string])[] = [
  // What happened to things, and what did not.
  [
    "customers who did not order in 2026",
    `SELECT * FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE ${IN_2026}) ORDER BY name, customer_id`,
  ],
  [
    "customers who never ordered",
    "SELECT * FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders) ORDER BY name, customer_id",
  ],
  [
    "how many customers have not ordered this year?",
    `SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE ${IN_2026})`,
  ],
  [
    "How many Loyal customers did not order in 2026?",
    `SELECT count(*) FROM customers WHERE segment = 'Loyal' AND customer_id NOT IN (SELECT customer_id FROM orders WHERE ${IN_2026})`,
  ],
  [
    "which customers ordered in 2025 but not in 2026?",
    `SELECT * FROM customers WHERE customer_id IN (SELECT customer_id FROM orders WHERE year(ordered_at) = 2025)
      AND customer_id NOT IN (SELECT customer_id FROM orders WHERE ${IN_2026}) ORDER BY name, customer_id`,
  ],
  ["orders without items", "SELECT * FROM orders WHERE order_id NOT IN (SELECT order_id FROM order_items)"],
  [
    "products not sold on 2026-06-30",
    `SELECT * FROM products WHERE product_id NOT IN (SELECT product_id FROM ${LINES} WHERE ordered_at >= '2026-06-30') ORDER BY name`,
  ],
  [
    "which products had no sales on 2026-06-29",
    `SELECT * FROM products WHERE product_id NOT IN (SELECT product_id FROM ${LINES} WHERE ordered_at::DATE = '2026-06-29') ORDER BY name`,
  ],
  [
    "customers who bought Tea but not Coffee",
    `SELECT * FROM customers WHERE customer_id IN (${bought("Tea")}) AND customer_id NOT IN (${bought("Coffee")}) ORDER BY name, customer_id`,
  ],
  [
    "how many customers bought both Tea and Coffee?",
    `SELECT count(*) FROM customers WHERE customer_id IN (${bought("Tea")}) AND customer_id IN (${bought("Coffee")})`,
  ],
  [
    "how many Leeds customers bought Coffee in 2026?",
    `SELECT count(*) FROM customers WHERE city = 'Leeds' AND customer_id IN (${bought("Coffee")} AND ${IN_2026})`,
  ],
  [
    ["customers who did not order in 2026", "only Loyal", "in 2025"],
    "SELECT * FROM customers WHERE segment = 'Loyal' AND customer_id NOT IN (SELECT customer_id FROM orders WHERE year(ordered_at) = 2025) ORDER BY name, customer_id",
  ],
  // Parts of the day and the week, and units of the calendar that are asked for by name.
  [
    "orders by weekday",
    "SELECT dayname(ordered_at), count(*) FROM orders GROUP BY 1, isodow(ordered_at) ORDER BY isodow(ordered_at)",
  ],
  [
    "which day of the week has the most orders?",
    "SELECT dayname(ordered_at), count(*) n FROM orders GROUP BY 1 ORDER BY n DESC LIMIT 1",
  ],
  ["orders by hour of day", "SELECT hour(ordered_at), count(*) FROM orders GROUP BY 1 ORDER BY 1"],
  [
    "revenue by day of week in 2026",
    `SELECT dayname(ordered_at), ${R} FROM order_items JOIN orders USING (order_id) WHERE ${IN_2026} GROUP BY 1, isodow(ordered_at) ORDER BY isodow(ordered_at)`,
  ],
  [
    "which weekday has the lowest revenue?",
    `SELECT dayname(ordered_at), ${R} r FROM order_items JOIN orders USING (order_id) GROUP BY 1 ORDER BY r LIMIT 1`,
  ],
  [
    "which month was best?",
    `SELECT ${MONTH} m, ${R} r FROM order_items JOIN orders USING (order_id) GROUP BY 1 ORDER BY r DESC LIMIT 1`,
  ],
  [
    "which month had the highest revenue in 2025?",
    `SELECT ${MONTH} m, ${R} r FROM order_items JOIN orders USING (order_id) WHERE year(ordered_at) = 2025 GROUP BY 1 ORDER BY r DESC LIMIT 1`,
  ],
  [
    "top 3 months by revenue",
    `SELECT ${MONTH} m, ${R} r FROM order_items JOIN orders USING (order_id) GROUP BY 1 ORDER BY r DESC LIMIT 3`,
  ],
  // Above and below the mean.
  [
    "customers with more than average revenue",
    `SELECT name, r FROM (SELECT customer_id, name, ${R} r FROM ${BUYERS} GROUP BY ALL) QUALIFY r > avg(r) OVER () ORDER BY r DESC, name`,
  ],
  [
    "stores with below average revenue",
    `SELECT name, r FROM (SELECT s.store_id, s.name, ${R} r FROM ${SHOPS} GROUP BY ALL) QUALIFY r < avg(r) OVER () ORDER BY r DESC, name`,
  ],
  [
    "list products with a price above the average price",
    "SELECT * FROM products WHERE price > (SELECT avg(price) FROM products) ORDER BY launched_on DESC",
  ],
  // Two numbers, shares, rates, distinct.
  [
    "revenue and number of orders by store",
    `SELECT s.name, ${R} r, count(DISTINCT order_id) FROM ${SHOPS} GROUP BY s.store_id, s.name ORDER BY r DESC`,
  ],
  [
    "revenue and units sold by category in 2026",
    `SELECT category, ${R} r, sum(quantity) FROM ${LINES} WHERE ${IN_2026} GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "share of revenue by category",
    `SELECT category, ${R} r, round(100.0 * r / sum(r) OVER (), 2) FROM ${LINES} GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "what share of revenue comes from Tea?",
    `SELECT round(100.0 * ${R} FILTER (category = 'Tea') / ${R}, 2) FROM ${LINES}`,
  ],
  [
    "return rate by category",
    `SELECT category, round(100.0 * count(DISTINCT order_id) FILTER (status = 'Returned') / count(DISTINCT order_id), 2) r FROM ${LINES} GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "cancellation rate by channel",
    "SELECT channel, round(100.0 * count(*) FILTER (status = 'Cancelled') / count(*), 2) r FROM orders GROUP BY 1 ORDER BY r DESC",
  ],
  ["how many distinct products were sold in 2026?", `SELECT count(DISTINCT product_id) FROM ${LINES} WHERE ${IN_2026}`],
  [
    "number of unique customers by month in 2026",
    `SELECT ${MONTH} m, count(DISTINCT customer_id) FROM orders WHERE ${IN_2026} GROUP BY 1 ORDER BY 1`,
  ],
  ["average number of items per order", "SELECT (SELECT count(*) FROM order_items) / count(*) FROM orders"],
  [
    "average quantity per order by segment",
    `SELECT segment, sum(quantity) / count(DISTINCT order_id) q FROM ${BUYERS} GROUP BY 1 ORDER BY q DESC`,
  ],
  [
    "average revenue per customer by segment",
    `SELECT segment, ${R} / count(DISTINCT customer_id) r FROM ${BUYERS} GROUP BY 1 ORDER BY r DESC`,
  ],
  ["average discount by segment", `SELECT segment, avg(discount) d FROM ${BUYERS} GROUP BY 1 ORDER BY d DESC`],
  ["median price by category", "SELECT category, median(price) p FROM products GROUP BY 1 ORDER BY p DESC, 1"],
  // Growth and comparisons of times.
  ["revenue growth by quarter", growth("quarter", "true")],
  ["percent change in revenue between May 2026 and June 2026", growth("month", "d >= '2026-05-01'")],
  ["how did revenue change between Q1 2026 and Q2 2026?", growth("quarter", "d >= '2026-01-01'")],
  ["revenue change from 2025 to 2026", growth("year", "d >= '2025-01-01'")],
  ["did revenue increase in June 2026?", growth("month", "d = '2026-06-01'")],
  [
    "revenue in June 2026 compared to June 2025",
    `SELECT ${MONTH} m, ${R} FROM order_items JOIN orders USING (order_id) WHERE month(ordered_at) = 6 AND year(ordered_at) IN (2025, 2026) GROUP BY 1 ORDER BY 1`,
  ],
  ["revenue in the first half of 2026", `SELECT ${R} FROM order_items JOIN orders USING (order_id) WHERE ${IN_2026}`],
  [
    "running total of revenue by month in 2026",
    `SELECT m, r, sum(r) OVER (ORDER BY m) FROM (SELECT ${MONTH} m, ${R} r FROM order_items JOIN orders USING (order_id) WHERE ${IN_2026} GROUP BY 1) ORDER BY m`,
  ],
  [
    "how many orders between March and May 2026?",
    "SELECT count(*) FROM orders WHERE ordered_at >= '2026-03-01' AND ordered_at < '2026-06-01'",
  ],
  // The best of each, bounds, and the ends of a ranking.
  [
    "top 3 products per category by revenue",
    `SELECT name, category, r FROM (SELECT product_id, name, category, ${R} r FROM ${LINES} GROUP BY ALL)
      QUALIFY row_number() OVER (PARTITION BY category ORDER BY r DESC) <= 3 ORDER BY category, r DESC`,
  ],
  [
    "top 2 customers per segment by revenue",
    `SELECT name, segment, r FROM (SELECT customer_id, name, segment, ${R} r FROM ${BUYERS} GROUP BY ALL)
      QUALIFY row_number() OVER (PARTITION BY segment ORDER BY r DESC) <= 2 ORDER BY segment, r DESC`,
  ],
  [
    "customers with more than 20 orders",
    "SELECT name, count(*) n FROM orders JOIN customers USING (customer_id) GROUP BY customer_id, name HAVING n > 20 ORDER BY n DESC, name",
  ],
  [
    "how many customers have exactly one order?",
    "SELECT count(*) FROM (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) = 1)",
  ],
  [
    "what is the cheapest coffee?",
    "SELECT name, price FROM products WHERE category = 'Coffee' QUALIFY rank() OVER (ORDER BY price) = 1 ORDER BY name",
  ],
  [
    "the 5 worst stores by revenue in 2026",
    `SELECT s.name, ${R} r FROM ${SHOPS} WHERE ${IN_2026} GROUP BY s.store_id, s.name ORDER BY r LIMIT 5`,
  ],
  [
    "which customer placed the most orders?",
    "SELECT name, count(*) n FROM orders JOIN customers USING (customer_id) GROUP BY customer_id, name ORDER BY n DESC LIMIT 1",
  ],
  [
    "customers with revenue over 5000",
    `SELECT name, ${R} r FROM ${BUYERS} GROUP BY customer_id, name HAVING r > 5000 ORDER BY r DESC, name`,
  ],
  ["revenue from customers who joined in 2023", `SELECT ${R} FROM ${BUYERS} WHERE year(joined_on) = 2023`],
  [
    "who bought Tea in June 2026?",
    `SELECT * FROM customers WHERE customer_id IN (${bought("Tea")} AND ordered_at >= '2026-06-01') ORDER BY name, customer_id`,
  ],
  ["how many products cost more than 100?", "SELECT count(*) FROM products WHERE cost > 100"],
  [
    "number of orders with more than 3 units",
    "SELECT count(*) FROM (SELECT order_id FROM order_items GROUP BY 1 HAVING sum(quantity) > 3)",
  ],
  [
    "which customers bought more than 300 units?",
    `SELECT name, sum(quantity) u FROM ${BUYERS} GROUP BY customer_id, name HAVING u > 300 ORDER BY u DESC, name`,
  ],
  [
    "revenue of 2026-06-01 to 2026-06-07",
    `SELECT ${R} FROM order_items JOIN orders USING (order_id) WHERE ordered_at >= '2026-06-01' AND ordered_at < '2026-06-08'`,
  ],
  [
    "number of orders that are neither Delivered nor Shipped",
    "SELECT count(*) FROM orders WHERE status NOT IN ('Delivered', 'Shipped')",
  ],
  ["number of delivered orders", "SELECT count(*) FROM orders WHERE status = 'Delivered'"],
  [
    "how many orders were delivered in June 2026?",
    "SELECT count(*) FROM orders WHERE delivered_on >= '2026-06-01' AND delivered_on < '2026-07-01'",
  ],
  [
    "how many customers have no cancelled orders?",
    "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE status = 'Cancelled')",
  ],
  [
    "how many customers have returned orders in 2026?",
    `SELECT count(DISTINCT customer_id) FROM orders WHERE status = 'Returned' AND ${IN_2026}`,
  ],
  // Rows.
  ["list the last 5 orders", "SELECT * FROM orders ORDER BY ordered_at DESC LIMIT 5"],
  ["list the products in the Tea category", "SELECT * FROM products WHERE category = 'Tea' ORDER BY launched_on DESC"],
  [
    "list orders with Grinders in June 2026",
    `SELECT * FROM orders WHERE order_id IN (SELECT order_id FROM ${LINES} WHERE category = 'Grinders' AND ordered_at >= '2026-06-01') ORDER BY order_id`,
  ],
  // Choices, and the author's words for them.
  ["revenue in 2025 except Tea", `SELECT ${R} FROM ${LINES} WHERE category <> 'Tea' AND year(ordered_at) = 2025`],
  [
    "revenue excluding cancelled orders by month in 2026",
    `SELECT ${MONTH} m, ${R} FROM order_items JOIN orders USING (order_id) WHERE status <> 'Cancelled' AND ${IN_2026} GROUP BY 1 ORDER BY 1`,
  ],
  [
    "trade customer revenue by month in 2026",
    `SELECT ${MONTH} m, ${R} FROM ${BUYERS} WHERE segment = 'Trade' AND ${IN_2026} GROUP BY 1 ORDER BY 1`,
  ],
  [
    "turnover by sales channel",
    `SELECT channel, ${R} r FROM order_items JOIN orders USING (order_id) GROUP BY 1 ORDER BY r DESC`,
  ],
  ["pieces by category", `SELECT category, sum(quantity) q FROM ${LINES} GROUP BY 1 ORDER BY q DESC`],
  // Follow-ups.
  [
    ["revenue by month in 2026", "what about Coffee?", "and for Tea"],
    `SELECT ${MONTH} m, ${R} FROM ${LINES} WHERE category = 'Tea' AND ${IN_2026} GROUP BY 1 ORDER BY 1`,
  ],
  [
    ["how many orders last month?", "and the month before?", "by channel"],
    "SELECT channel, count(*) n FROM orders WHERE ordered_at >= '2026-05-01' AND ordered_at < '2026-06-01' GROUP BY 1 ORDER BY n DESC",
  ],
  [
    ["revenue by category", "only in 2026", "and by channel"],
    `SELECT category, channel, ${R} r FROM ${LINES} WHERE ${IN_2026} GROUP BY 1, 2 ORDER BY r DESC`,
  ],
  [
    ["orders by status", "in percent", "only for 2026"],
    `SELECT status, count(*) n, round(100.0 * n / sum(n) OVER (), 2) FROM orders WHERE ${IN_2026} GROUP BY 1 ORDER BY n DESC`,
  ],
];

export const SHOP_QUESTIONS: readonly ShopQuestion[] = PAIRS.map(([questions, sql]) => ({
  questions: typeof questions === "string" ? [questions] : questions,
  sql,
}));

/** Questions beyond the data or the rules: each gets a reply, or an answer with a warning that has these words. */
export const HONEST: readonly (readonly [question: string, words: RegExp])[] = [
  ["wie viel umsatz haben wir pro monat?", /nur Fragen auf Englisch/],
  ["Quel est le chiffre d'affaires par catégorie ?", /que les questions en anglais/],
  ["¿Cuánto son las ventas por mes?", /preguntas en inglés/],
  ["delete all orders", /only read data/],
  ["please update the price of Sencha", /only read data/],
  ["margin by category", /“margin”/],
  ["weekend orders", /on Saturdays and Sundays[\s\S]*I counted them/],
  ["orders over 100 pounds", /“> 100 pounds”/],
  ["how many orders were delivered late?", /“late”/],
  ["why did revenue drop in June?", /“why”/],
  ["revenue change from 2025 to 2026", /The year from 2026-01-01 is not whole: ordered at ends on 2026-06-30/],
  ["revenue this month vs last month", /There is nothing this month/],
  ["new customers by month in 2026", /“new” is read as the segment New/],
  ["which store sells the most mugs?", /did not say what to rank by; I took revenue/],
  ["who spent the most in 2025?", /I took revenue/],
  ["how much did customers in Dublin spend in 2025?", /I took revenue/],
  ["average revenue by segment", /do not know per what to average/],
  ["how many products were sold in June 2026?", /Different products were counted, not pieces/],
  ["share of Tea revenue by store", /Each share is of the total of what passes/],
  ["cancelled orders of June 2026", /I counted them/],
  ["orders by country", /could also be country of stores/],
  ["revenue in 2024 and 2025 and 2026", /Only two times can be compared/],
  ["top 10 percent of customers", /“top 10 percent”/],
  ["revenue per day on average", /“average”/],
  ["ratio of Web to Store orders", /“ratio”/],
  ["average price of products that were never sold", /“not”/],
  ["which category grew the most in 2026?", /do not rank by growth/],
  ["customers who joined in 2023 and never ordered", /“not”/],
  ["customers with orders", /Only the first 1000 rows are shown/],
];
