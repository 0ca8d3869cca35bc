import type { Right, Told } from "./fresh-questions.ts";

const R = "sum(quantity * unit_price - discount)";
const IO = "order_items JOIN orders USING (order_id)";
const L = `${IO} JOIN products USING (product_id)`;
const LS = `${IO} JOIN stores USING (store_id)`;
const LC = `${IO} JOIN customers USING (customer_id)`;

export const SHOP_RIGHT: Right = [
  [
    "revenue from all channels except Phone",
    `SELECT channel, ${R} r FROM ${IO} WHERE channel <> 'Phone' GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "revenue excluding returned and cancelled orders",
    `SELECT ${R} FROM ${IO} WHERE status NOT IN ('Returned', 'Cancelled')`,
  ],
  [
    "store with the fewest orders in 2025",
    "SELECT name, count(*) n FROM orders JOIN stores USING (store_id) WHERE year(ordered_at) = 2025 GROUP BY store_id, name ORDER BY n, name LIMIT 1",
  ],
  ["how many orders were not delivered?", "SELECT count(*) FROM orders WHERE status <> 'Delivered'"],
  [
    "customers without any order",
    "SELECT * FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders) ORDER BY name, customer_id",
  ],
  [
    "how many customers never ordered?",
    "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)",
  ],
  [
    "how many customers ordered at least 10 times?",
    "SELECT count(*) FROM (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) >= 10)",
  ],
  ["how many products have a price between 20 and 30?", "SELECT count(*) FROM products WHERE price BETWEEN 20 AND 30"],
  ["revenue last quarter", `SELECT ${R} FROM ${IO} WHERE ordered_at >= '2026-04-01' AND ordered_at < '2026-07-01'`],
  ["orders yesterday", "SELECT count(*) FROM orders WHERE ordered_at::DATE = '2026-06-30'"],
  ["revenue year to date", `SELECT ${R} FROM ${IO} WHERE ordered_at >= '2026-01-01' AND ordered_at < '2026-07-02'`],
  [
    "revenue over the past 30 days",
    `SELECT ${R} FROM ${IO} WHERE ordered_at >= '2026-06-01' AND ordered_at < '2026-07-01'`,
  ],
  [
    "revenue in Q4 2025 by store city",
    `SELECT city, ${R} r FROM ${LS} WHERE ordered_at >= '2025-10-01' AND ordered_at < '2026-01-01' GROUP BY 1 ORDER BY r DESC`,
  ],
  ["revenue by customer city", `SELECT city, ${R} r FROM ${LC} GROUP BY 1 ORDER BY r DESC`],
  ["revenue by city of the store", `SELECT city, ${R} r FROM ${LS} GROUP BY 1 ORDER BY r DESC`],
  [
    "number of orders per store region",
    "SELECT region, count(*) n FROM orders JOIN stores USING (store_id) GROUP BY 1 ORDER BY n DESC",
  ],
  [
    "average revenue per order by channel",
    `SELECT channel, ${R} / count(DISTINCT order_id) a FROM ${IO} GROUP BY 1 ORDER BY a DESC`,
  ],
  ["average order value in 2025", `SELECT ${R} / count(DISTINCT order_id) FROM ${IO} WHERE year(ordered_at) = 2025`],
  ["average number of orders per customer", "SELECT count(*) / count(DISTINCT customer_id) FROM orders"],
  [
    "pieces sold per product category in May 2026",
    `SELECT category, sum(quantity) q FROM ${L} WHERE ordered_at >= '2026-05-01' AND ordered_at < '2026-06-01' GROUP BY 1 ORDER BY q DESC`,
  ],
  [
    "what are our 3 worst selling products in 2025 by pieces?",
    `SELECT name, sum(quantity) q FROM ${L} WHERE year(ordered_at) = 2025 GROUP BY product_id, name ORDER BY q, name LIMIT 3`,
  ],
  [
    "which products were not sold in June 2026?",
    `SELECT * FROM products WHERE product_id NOT IN (SELECT product_id FROM ${IO} WHERE ordered_at >= '2026-06-01' AND ordered_at < '2026-07-01')`,
  ],
  [
    "revenue from trade customers outside the United Kingdom",
    `SELECT ${R} FROM ${LC} WHERE segment = 'Trade' AND country <> 'United Kingdom'`,
  ],
  ["how many stores are not in London?", "SELECT count(*) FROM stores WHERE city <> 'London'"],
  ["how many stores opened before 2018?", "SELECT count(*) FROM stores WHERE opened_on < '2018-01-01'"],
  ["oldest store", "SELECT name, opened_on FROM stores ORDER BY opened_on LIMIT 1"],
  ["total discount given to loyal customers", `SELECT sum(discount) FROM ${LC} WHERE segment = 'Loyal'`],
  [
    "share of orders by channel in 2026",
    "SELECT channel, count(*) n, round(100.0 * count(*) / sum(count(*)) OVER (), 2) FROM orders WHERE year(ordered_at) = 2026 GROUP BY 1 ORDER BY n DESC",
  ],
  [
    "percentage of returned orders",
    "SELECT round(100.0 * count(*) FILTER (status = 'Returned') / count(*), 2) FROM orders",
  ],
  [
    "what fraction of orders was cancelled in 2025?",
    "SELECT round(100.0 * count(*) FILTER (status = 'Cancelled') / count(*), 2) FROM orders WHERE year(ordered_at) = 2025",
  ],
  [
    "revenue per store per month in 2026",
    `SELECT date_trunc('month', ordered_at)::DATE m, stores.name, ${R} FROM ${LS} WHERE year(ordered_at) = 2026 GROUP BY 1, 2 ORDER BY 1, 2`,
  ],
  ["total revenue for Tea and Coffee", `SELECT ${R} FROM ${L} WHERE category IN ('Tea', 'Coffee')`],
  [
    "revenue for Tea or Coffee in the north region",
    `SELECT ${R} FROM ${L} JOIN stores USING (store_id) WHERE category IN ('Tea', 'Coffee') AND region = 'North'`,
  ],
  ["revenue of the London stores", `SELECT ${R} FROM ${LS} WHERE city = 'London'`],
  [
    "how many orders did customers from London place in stores in Leeds?",
    "SELECT count(*) FROM orders JOIN customers c USING (customer_id) JOIN stores s USING (store_id) WHERE c.city = 'London' AND s.city = 'Leeds'",
  ],
  [
    "how many customers bought tea but not coffee?",
    `SELECT count(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM ${L} WHERE category = 'Tea') AND customer_id NOT IN (SELECT customer_id FROM ${L} WHERE category = 'Coffee')`,
  ],
  [
    "how many orders have more than 3 lines?",
    "SELECT count(*) FROM (SELECT order_id FROM order_items GROUP BY 1 HAVING count(*) > 3)",
  ],
  [
    "orders with a revenue over 1000",
    `SELECT order_id, ${R} r FROM order_items GROUP BY 1 HAVING r > 1000 ORDER BY r DESC, 1`,
  ],
  [
    "which month of 2025 had the lowest revenue?",
    `SELECT date_trunc('month', ordered_at)::DATE m, ${R} r FROM ${IO} WHERE year(ordered_at) = 2025 GROUP BY 1 ORDER BY r LIMIT 1`,
  ],
  [
    "revenue from 1 March 2026 to 15 March 2026",
    `SELECT ${R} FROM ${IO} WHERE ordered_at >= '2026-03-01' AND ordered_at < '2026-03-16'`,
  ],
  [
    "orders between 2026-02-01 and 2026-02-14",
    "SELECT count(*) FROM orders WHERE ordered_at >= '2026-02-01' AND ordered_at < '2026-02-15'",
  ],
  [
    "sales by category in the last 3 months",
    `SELECT category, ${R} r FROM ${L} WHERE ordered_at >= '2026-04-01' AND ordered_at < '2026-07-01' GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "number of new customers who joined in March 2026",
    "SELECT count(*) FROM customers WHERE joined_on >= '2026-03-01' AND joined_on < '2026-04-01'",
  ],
  ["average price of a mug", "SELECT avg(price) FROM products WHERE category = 'Mugs'"],
  ["price of the Classic Sencha", "SELECT price FROM products WHERE name = 'Classic Sencha'"],
  [
    "revenue without Tea by month in 2026",
    `SELECT date_trunc('month', ordered_at)::DATE m, ${R} FROM ${L} WHERE category <> 'Tea' AND year(ordered_at) = 2026 GROUP BY 1 ORDER BY 1`,
  ],
  [
    "profit by category",
    `SELECT category, sum(quantity * (unit_price-cost)-discount) p FROM ${L} GROUP BY 1 ORDER BY p DESC`,
  ],
  [
    "how many stores have no orders in June 2026?",
    "SELECT count(*) FROM stores WHERE store_id NOT IN (SELECT store_id FROM orders WHERE ordered_at >= '2026-06-01' AND ordered_at < '2026-07-01')",
  ],
  [
    "how many different customers bought something in 2026?",
    "SELECT count(DISTINCT customer_id) FROM orders WHERE year(ordered_at) = 2026",
  ],
  ["revenue for stores outside London", `SELECT ${R} FROM ${LS} WHERE stores.city <> 'London'`],
  [
    "revenue for every store but the web shop",
    `SELECT stores.name, ${R} r FROM ${LS} WHERE stores.name <> 'Web shop' GROUP BY store_id, stores.name ORDER BY r DESC`,
  ],
  [
    "top 3 categories by revenue excluding Grinders in 2025",
    `SELECT category, ${R} r FROM ${L} WHERE category <> 'Grinders' AND year(ordered_at) = 2025 GROUP BY 1 ORDER BY r DESC LIMIT 3`,
  ],
  ["average price per category", "SELECT category, avg(price) a FROM products GROUP BY 1 ORDER BY a DESC"],
  [
    "average price of products by category over 50",
    "SELECT category, avg(price) a FROM products GROUP BY 1 HAVING a > 50 ORDER BY a DESC",
  ],
  ["how many products cost between 5 and 10?", "SELECT count(*) FROM products WHERE cost BETWEEN 5 AND 10"],
  ["how many products are cheaper than 10?", "SELECT count(*) FROM products WHERE price < 10"],
  ["products more expensive than 150", "SELECT * FROM products WHERE price > 150 ORDER BY launched_on DESC"],
  ["how many lines have a quantity of 1?", "SELECT count(*) FROM order_items WHERE quantity = 1"],
  ["how many customers joined in 2023?", "SELECT count(*) FROM customers WHERE year(joined_on) = 2023"],
  [
    "how many customers joined before 2023 and live in York?",
    "SELECT count(*) FROM customers WHERE joined_on < '2023-01-01' AND city = 'York'",
  ],
  [
    "customers per city excluding London",
    "SELECT city, count(*) n FROM customers WHERE city <> 'London' GROUP BY 1 ORDER BY n DESC, 1",
  ],
  [
    "return rate in 2026",
    "SELECT round(100.0*count(*) FILTER (status = 'Returned')/count(*), 2) FROM orders WHERE year(ordered_at) = 2026",
  ],
  [
    "how much did we discount in Q1 2026?",
    `SELECT sum(discount) FROM ${IO} WHERE ordered_at >= '2026-01-01' AND ordered_at < '2026-04-01'`,
  ],
  [
    "revenue of Classic Sencha in 2026",
    `SELECT ${R} FROM ${L} WHERE products.name = 'Classic Sencha' AND year(ordered_at) = 2026`,
  ],
  [
    "revenue from customers in the Netherlands by city",
    `SELECT city, ${R} r FROM ${LC} WHERE country = 'Netherlands' GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "orders per weekday in 2026",
    "SELECT dayname(ordered_at), count(*) FROM orders WHERE year(ordered_at) = 2026 GROUP BY 1, isodow(ordered_at) ORDER BY isodow(ordered_at)",
  ],
  ["revenue since April 2026", `SELECT ${R} FROM ${IO} WHERE ordered_at >= '2026-04-01'`],
  [
    "newest product",
    "SELECT name, launched_on FROM products WHERE launched_on = (SELECT max(launched_on) FROM products)",
  ],
  [
    "number of customers with revenue above 5000",
    `SELECT count(*) FROM (SELECT customer_id FROM ${IO} GROUP BY 1 HAVING ${R}>5000)`,
  ],
  [
    "how many customers spent more than 5000?",
    `SELECT count(*) FROM (SELECT customer_id FROM ${IO} GROUP BY 1 HAVING ${R}>5000)`,
  ],
  [
    "share of trade customers in revenue in 2026",
    `SELECT round(100.0*sum(quantity*unit_price-discount) FILTER (segment = 'Trade')/sum(quantity*unit_price-discount), 2) FROM ${LC} WHERE year(ordered_at) = 2026`,
  ],
  [
    "what share of revenue comes from Tea?",
    "SELECT round(100.0*sum(quantity*unit_price-discount) FILTER (category = 'Tea')/sum(quantity*unit_price-discount), 2) FROM order_items JOIN products USING (product_id)",
  ],
  [
    "orders by status except Delivered",
    "SELECT status, count(*) n FROM orders WHERE status <> 'Delivered' GROUP BY 1 ORDER BY n DESC",
  ],
  [
    "how many web orders were not cancelled in 2026?",
    "SELECT count(*) FROM orders WHERE channel = 'Web' AND status <> 'Cancelled' AND year(ordered_at) = 2026",
  ],
  [
    "how many orders did each store have except Web shop",
    "SELECT stores.name, count(*) n FROM orders JOIN stores USING (store_id) WHERE stores.name <> 'Web shop' GROUP BY 1 ORDER BY n DESC, 1",
  ],
  [
    "products without sales in 2026",
    `SELECT * FROM products WHERE product_id NOT IN (SELECT product_id FROM ${IO} WHERE year(ordered_at) = 2026)`,
  ],
  ["top 5 cutomers by turnover", `SELECT name, ${R} r FROM ${LC} GROUP BY customer_id, name ORDER BY r DESC LIMIT 5`],
  ["number of orders on Sundays", "SELECT count(*) FROM orders WHERE isodow(ordered_at) = 7"],
  ["revenue on Mondays in 2026", `SELECT ${R} FROM ${IO} WHERE isodow(ordered_at) = 1 AND year(ordered_at) = 2026`],
  ["how long does delivery take on average?", "SELECT avg(delivered_on - ordered_at::DATE) FROM orders"],
  ["average delivery time", "SELECT avg(delivered_on - ordered_at::DATE) FROM orders"],
  [
    "how many orders were delivered within 2 days",
    "SELECT count(*) FROM orders WHERE delivered_on - ordered_at::DATE <= 2",
  ],
  ["how many undelivered orders", "SELECT count(*) FROM orders WHERE delivered_on IS NULL"],
  ["list all stores in the south", "SELECT * FROM stores WHERE region = 'South' ORDER BY opened_on DESC"],
];

export const SHOP_TOLD: Told = [
  ["orders placed before noon", /“before”/],
  ["stores opened after 2019", /You named only stores/],
  ["number of lines without discount", /would answer the opposite/],
  ["custmers in Leeds", /“custmers” is read as “customer”/],
  ["revnue by catgory", /“revnue” is read as “revenue”/],
  ["biggest order in 2026", /You did not say what to rank by/],
  ["months with revenue over 60000", /“months”/],
  ["revenue in summer 2025", /“summer”/],
  ["difference in revenue between Leeds and York stores", /“difference”/],
  ["products costing more than their price", /“more than”/],
  ["customers who joined this year and ordered on the web", /You named only customers/],
  ["orders still not delivered", /“still”/],
  ["no of orders with no delivery date", /would answer the opposite/],
  ["cancelled orders as a percentage of all orders by channel", /Each percentage is of the orders of that channel/],
  ["revenue of Sencha", /“Sencha”/],
  ["pieces of Stoneware Mug sold", /“Stoneware”/],
  ["orders from Ireland", /“Ireland” is read as a country of customers/],
  ["orders delivered to Dublin", /“Dublin” is read as a city of customers/],
  ["busiest day of the week by orders", /You did not say what to rank by/],
  ["busiest hour", /You did not say what to rank by/],
  ["average orders per day in May 2026", /“average”/],
  ["revenue per day in the first week of June 2026", /“week”/],
  ["revenue up to March 2025", /“up to”/],
  ["revenue two months ago", /“two”/],
  ["how many orders today?", /There is nothing today/],
  ["year over year revenue growth by category", /The year from 2024-01-01 is not whole/],
  ["which store opened last?", /“last”/],
  ["the three oldest stores", /“three”/],
  ["average number of products per order", /I cannot answer that/],
  ["median order value", /“median”/],
  ["total cost of goods sold", /cost is added up once for each of products, not for each tha/],
  ["profit margin by category", /“margin”/],
  ["is the web shop growing?", /The month from 2014-05-01 is not whole/],
  ["revenue by category and channel excluding Phone and Store", /I found no part for stores and left it out/],
  ["sales for febuary 2026", /“febuary”/],
];
