/** A question and the same asked in SQL by hand; an empty statement where nothing in the data answers it. */
type ComputedQuestion = readonly [question: string, sql: string];

const ELAPSED = (from: string, to: string, seconds = 86_400) => `(epoch(${to}) - epoch(${from})) / ${seconds}`;
const DELIVERY = ELAPSED("ordered_at", "delivered_at");
const AGE = (born: string) => `date_sub('year', ${born}, DATE '2026-07-01')`;
const WEEKEND = (at: string) => `isodow(${at}) IN (6, 7)`;
const I = "order_items JOIN orders USING (order_id)";

const RETAIL: readonly ComputedQuestion[] = [
  // times between two dates
  ["average delivery time", `SELECT avg(${DELIVERY}) FROM orders`],
  ["what is the average delivery time by channel?", `SELECT channel, avg(${DELIVERY}) FROM orders GROUP BY 1`],
  ["average time from order to delivery", `SELECT avg(${DELIVERY}) FROM orders`],
  ["average days from order to shipment", `SELECT avg(${ELAPSED("ordered_at", "shipped_at")}) FROM orders`],
  [
    "average number of days between ordered and shipped",
    `SELECT avg(${ELAPSED("ordered_at", "shipped_at")}) FROM orders`,
  ],
  ["average hours from shipment to delivery", `SELECT avg(${ELAPSED("shipped_at", "delivered_at", 3600)}) FROM orders`],
  ["how long does delivery take on average?", `SELECT avg(${DELIVERY}) FROM orders`],
  ["how long does it take to ship an order?", `SELECT avg(${ELAPSED("ordered_at", "shipped_at")}) FROM orders`],
  ["orders delivered within 3 days", `SELECT * FROM orders WHERE ${DELIVERY} <= 3`],
  ["how many orders were delivered within 3 days?", `SELECT count(*) FROM orders WHERE ${DELIVERY} <= 3`],
  [
    "how many orders were shipped within 48 hours?",
    `SELECT count(*) FROM orders WHERE ${ELAPSED("ordered_at", "shipped_at")} <= 2`,
  ],
  ["number of orders that took more than 5 days to deliver", `SELECT count(*) FROM orders WHERE ${DELIVERY} > 5`],
  [
    "percentage of orders delivered within 3 days",
    `SELECT round(100.0 * count(*) FILTER (${DELIVERY} <= 3) / count(*), 2) FROM orders`,
  ],
  ["median delivery time", `SELECT median(${DELIVERY}) FROM orders`],
  ["longest delivery time", `SELECT max(${DELIVERY}) FROM orders`],
  [
    "average delivery time by month in 2026",
    `SELECT date_trunc('month', ordered_at)::DATE, avg(${DELIVERY}) FROM orders WHERE year(ordered_at) = 2026 GROUP BY 1`,
  ],
  [
    "which channel has the longest delivery time?",
    `SELECT channel FROM orders GROUP BY 1 ORDER BY avg(${DELIVERY}) DESC LIMIT 1`,
  ],
  [
    "which channel has the highest average delivery time?",
    `SELECT channel FROM orders GROUP BY 1 ORDER BY avg(${DELIVERY}) DESC LIMIT 1`,
  ],
  ["average delivery time of web orders", `SELECT avg(${DELIVERY}) FROM orders WHERE channel = 'Web'`],
  [
    "average delivery time for customers in Leeds",
    `SELECT avg(${DELIVERY}) FROM orders JOIN customers USING (customer_id) WHERE city = 'Leeds'`,
  ],
  ["average time between order and invoice", ""],
  ["average refund time", ""],
  ["average production time", ""],
  ["orders delivered within 3 business days", ""],
  // late
  ["how many orders were late?", "SELECT count(*) FROM orders WHERE delivered_at::DATE > promised_date"],
  [
    "late orders by channel",
    "SELECT channel, count(*) FROM orders WHERE delivered_at::DATE > promised_date GROUP BY 1",
  ],
  [
    "customers with more than 3 late orders",
    "SELECT name, count(*) FROM orders JOIN customers USING (customer_id) WHERE delivered_at::DATE > promised_date GROUP BY customer_id, name HAVING count(*) > 3",
  ],
  [
    "which channel has the most late orders",
    "SELECT channel, count(*) FROM orders WHERE delivered_at::DATE > promised_date GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
  ],
  ["how many orders were on time?", "SELECT count(*) FROM orders WHERE delivered_at::DATE <= promised_date"],
  [
    "on-time delivery rate",
    "SELECT round(100.0 * count(*) FILTER (delivered_at::DATE <= promised_date) / count(delivered_at), 2) FROM orders",
  ],
  [
    "how many orders were delivered after the promised date?",
    "SELECT count(*) FROM orders WHERE delivered_at::DATE > promised_date",
  ],
  // ages
  ["average age of customers", `SELECT avg(${AGE("birth_date")}) FROM customers`],
  ["average age of customers by city", `SELECT city, avg(${AGE("birth_date")}) FROM customers GROUP BY 1`],
  ["how many customers are older than 40?", `SELECT count(*) FROM customers WHERE ${AGE("birth_date")} > 40`],
  ["how many customers are younger than 30?", `SELECT count(*) FROM customers WHERE ${AGE("birth_date")} < 30`],
  ["customers over 60 years old", `SELECT name FROM customers WHERE ${AGE("birth_date")} > 60`],
  ["how old are our customers on average?", `SELECT avg(${AGE("birth_date")}) FROM customers`],
  ["age of orders", ""],
  [
    "number of customers with age between 30 and 40",
    `SELECT count(*) FROM customers WHERE ${AGE("birth_date")} BETWEEN 30 AND 40`,
  ],
  // weekends
  ["how many orders were placed on weekends?", `SELECT count(*) FROM orders WHERE ${WEEKEND("ordered_at")}`],
  ["orders on weekdays", `SELECT count(*) FROM orders WHERE NOT ${WEEKEND("ordered_at")}`],
  ["weekend orders by channel", `SELECT channel, count(*) FROM orders WHERE ${WEEKEND("ordered_at")} GROUP BY 1`],
  [
    "orders on weekends versus weekdays",
    `SELECT CASE WHEN ${WEEKEND("ordered_at")} THEN 'Weekend' ELSE 'Weekday' END, count(*) FROM orders GROUP BY 1`,
  ],
  ["orders by weekday", "SELECT dayname(ordered_at), count(*) FROM orders GROUP BY 1"],
  [
    "orders at the weekend in 2026",
    `SELECT count(*) FROM orders WHERE ${WEEKEND("ordered_at")} AND year(ordered_at) = 2026`,
  ],
  ["quantity sold at weekends", `SELECT sum(quantity) FROM ${I} WHERE ${WEEKEND("ordered_at")}`],
  ["orders delivered on weekends", `SELECT count(*) FROM orders WHERE ${WEEKEND("delivered_at")}`],
  [
    "customers who ordered on weekends",
    `SELECT count(DISTINCT customer_id) FROM orders WHERE ${WEEKEND("ordered_at")}`,
  ],
  // moving averages
  [
    "3-month moving average of orders",
    "SELECT m, n, CASE WHEN count(*) OVER w = 3 THEN avg(n) OVER w END FROM (SELECT date_trunc('month', ordered_at)::DATE m, count(*) n FROM orders GROUP BY 1) WINDOW w AS (ORDER BY m ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)",
  ],
  [
    "3 month rolling average of quantity by month",
    `SELECT m, n, CASE WHEN count(*) OVER w = 3 THEN avg(n) OVER w END FROM (SELECT date_trunc('month', ordered_at)::DATE m, sum(quantity) n FROM ${I} GROUP BY 1) WINDOW w AS (ORDER BY m ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)`,
  ],
  [
    "moving average of orders over 3 months in 2026",
    "SELECT * FROM (SELECT m, n, CASE WHEN count(*) OVER w = 3 THEN avg(n) OVER w END FROM (SELECT date_trunc('month', ordered_at)::DATE m, count(*) n FROM orders GROUP BY 1) WINDOW w AS (ORDER BY m ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) WHERE m >= '2026-01-01'",
  ],
  ["moving average of orders", ""],
  ["moving average of customers over 3 months", ""],
  // quantity times price
  ["total revenue", "SELECT sum(quantity * unit_price) FROM order_items"],
  [
    "revenue by category",
    "SELECT category, sum(quantity * unit_price) FROM order_items JOIN products USING (product_id) GROUP BY 1",
  ],
  [
    "revenue by month in 2026",
    `SELECT date_trunc('month', ordered_at)::DATE, sum(quantity * unit_price) FROM ${I} WHERE year(ordered_at) = 2026 GROUP BY 1`,
  ],
  [
    "top 3 products by revenue",
    "SELECT name, sum(quantity * unit_price) FROM order_items JOIN products USING (product_id) GROUP BY product_id, name ORDER BY 2 DESC LIMIT 3",
  ],
  ["sum of quantity times unit price by channel", `SELECT channel, sum(quantity * unit_price) FROM ${I} GROUP BY 1`],
  ["total quantity x price", "SELECT sum(quantity * unit_price) FROM order_items"],
  ["average revenue per order", `SELECT sum(quantity * unit_price) / count(DISTINCT order_id) FROM order_items`],
  [
    "which customer has the highest revenue?",
    `SELECT name FROM ${I} JOIN customers USING (customer_id) GROUP BY customer_id, name ORDER BY sum(quantity * unit_price) DESC LIMIT 1`,
  ],
  ["profit by category", ""],
  [
    "revenue growth by month",
    `SELECT m, r, round(100.0 * (r - lag(r) OVER (ORDER BY m)) / lag(r) OVER (ORDER BY m), 2) FROM (SELECT date_trunc('month', ordered_at)::DATE m, sum(quantity * unit_price) r FROM ${I} GROUP BY 1)`,
  ],
  [
    "customers with revenue over 1000",
    `SELECT name FROM ${I} JOIN customers USING (customer_id) GROUP BY customer_id, name HAVING sum(quantity * unit_price) > 1000`,
  ],
  [
    "share of revenue by category",
    "SELECT category, round(100.0 * sum(quantity * unit_price) / sum(sum(quantity * unit_price)) OVER (), 2) FROM order_items JOIN products USING (product_id) GROUP BY 1",
  ],
  // fewer than
  [
    "customers with fewer than 5 orders",
    "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) >= 5)",
  ],
  [
    "how many customers have fewer than 5 orders?",
    "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) >= 5)",
  ],
  [
    "how many customers placed fewer than 5 orders?",
    "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) >= 5)",
  ],
  [
    "how many customers have less than 3 orders in 2026?",
    "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE year(ordered_at) = 2026 GROUP BY 1 HAVING count(*) >= 3)",
  ],
  [
    "how many customers have at most 4 orders",
    "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) > 4)",
  ],
  ["channels with fewer than 100 orders", "SELECT channel FROM orders GROUP BY 1 HAVING count(*) < 100"],
  [
    "orders with fewer than 3 order items",
    "SELECT order_id FROM orders WHERE order_id NOT IN (SELECT order_id FROM order_items GROUP BY 1 HAVING count(*) >= 3)",
  ],
  [
    "how many customers in Leeds have fewer than 8 orders",
    "SELECT count(*) FROM customers WHERE city = 'Leeds' AND customer_id NOT IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) >= 8)",
  ],
  [
    "customers with no more than 2 web orders",
    "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE channel = 'Web' GROUP BY 1 HAVING count(*) > 2)",
  ],
  [
    "customers with fewer than 5 delivered orders",
    "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE status = 'Delivered' GROUP BY 1 HAVING count(*) >= 5)",
  ],
  [
    "how many customers ordered less than 3 times in 2026",
    "SELECT count(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE year(ordered_at) = 2026 GROUP BY 1 HAVING count(*) >= 3)",
  ],
  ["average order value", "SELECT sum(quantity * unit_price) / count(DISTINCT order_id) FROM order_items"],
  [
    "highest revenue order",
    "SELECT sum(quantity * unit_price) r FROM order_items GROUP BY order_id ORDER BY r DESC LIMIT 1",
  ],
  [
    "percentage of late orders",
    "SELECT round(100.0 * count(*) FILTER (delivered_at::DATE > promised_date) / count(delivered_at), 2) FROM orders",
  ],
  [
    "orders delivered within 3 days of shipment",
    "SELECT * FROM orders WHERE epoch(delivered_at) - epoch(shipped_at) <= 259200",
  ],
  ["how many orders not on weekends", `SELECT count(*) FROM orders WHERE NOT ${WEEKEND("ordered_at")}`],
  // un-
  ["how many orders are unshipped?", "SELECT count(*) FROM orders WHERE shipped_at IS NULL"],
  ["undelivered orders by channel", "SELECT channel, count(*) FROM orders WHERE status <> 'Delivered' GROUP BY 1"],
  ["unreturned orders", ""],
];

const BILLING: readonly ComputedQuestion[] = [
  ["how many invoices are unpaid?", "SELECT count(*) FROM invoices WHERE paid_date IS NULL"],
  [
    "unpaid invoices by client",
    "SELECT name, count(*) FROM invoices JOIN clients USING (client_id) WHERE paid_date IS NULL GROUP BY client_id, name",
  ],
  ["total amount of unpaid invoices", "SELECT sum(amount) FROM invoices WHERE paid_date IS NULL"],
  [
    "unpaid amount by region",
    "SELECT region, sum(amount) FROM invoices JOIN clients USING (client_id) WHERE paid_date IS NULL GROUP BY 1",
  ],
  [
    "unpaid invoices issued in March 2026",
    "SELECT count(*) FROM invoices WHERE paid_date IS NULL AND issue_date >= '2026-03-01' AND issue_date < '2026-04-01'",
  ],
  ["how many invoices were paid late?", "SELECT count(*) FROM invoices WHERE paid_date > due_date"],
  [
    "how many invoices are overdue?",
    "SELECT count(*) FROM invoices WHERE paid_date IS NULL AND due_date < DATE '2026-07-01'",
  ],
  [
    "overdue amount by client",
    "SELECT name, sum(amount) FROM invoices JOIN clients USING (client_id) WHERE paid_date IS NULL AND due_date < DATE '2026-07-01' GROUP BY client_id, name",
  ],
  ["how many invoices are paid", "SELECT count(*) FROM invoices WHERE paid_date IS NOT NULL"],
  [
    "paid invoices by region",
    "SELECT region, count(*) FROM invoices JOIN clients USING (client_id) WHERE paid_date IS NOT NULL GROUP BY 1",
  ],
  ["average days to payment", "SELECT avg(paid_date - issue_date) FROM invoices"],
  [
    "average days from issue to payment by client",
    "SELECT name, avg(paid_date - issue_date) FROM invoices JOIN clients USING (client_id) GROUP BY client_id, name",
  ],
  ["how many invoices were paid within 30 days?", "SELECT count(*) FROM invoices WHERE paid_date - issue_date <= 30"],
  [
    "average payment time by region",
    "SELECT region, avg(paid_date - issue_date) FROM invoices JOIN clients USING (client_id) GROUP BY 1",
  ],
  [
    "invoices paid more than 10 days after the due date",
    "SELECT invoice_no FROM invoices WHERE paid_date - due_date > 10",
  ],
  ["total amount", "SELECT sum(amount) FROM invoices"],
  ["total amount in EUR", "SELECT sum(amount) FROM invoices WHERE currency = 'EUR'"],
  ["total amount by currency", "SELECT currency, sum(amount) FROM invoices GROUP BY 1"],
  ["total amount in dollars", ""],
  [
    "clients with fewer than 40 invoices",
    "SELECT name FROM clients WHERE client_id NOT IN (SELECT client_id FROM invoices GROUP BY 1 HAVING count(*) >= 40)",
  ],
  ["uncollected invoices", ""],
  ["average discount time", ""],
];

const CLINIC: readonly ComputedQuestion[] = [
  ["average age of patients", `SELECT avg(${AGE("date_of_birth")}) FROM patients`],
  ["average age by sex", `SELECT sex, avg(${AGE("date_of_birth")}) FROM patients GROUP BY 1`],
  ["patients by age", `SELECT ${AGE("date_of_birth")}, count(*) FROM patients GROUP BY 1`],
  ["how many patients are over the age of 60", `SELECT count(*) FROM patients WHERE ${AGE("date_of_birth")} > 60`],
  ["age of oldest patient", `SELECT full_name, ${AGE("date_of_birth")} FROM patients ORDER BY date_of_birth LIMIT 1`],
  ["patients older than 80", `SELECT full_name FROM patients WHERE ${AGE("date_of_birth")} > 80`],
  [
    "how many women are older than 65?",
    `SELECT count(*) FROM patients WHERE sex = 'F' AND ${AGE("date_of_birth")} > 65`,
  ],
  ["how many patients are at least 18 years old?", `SELECT count(*) FROM patients WHERE ${AGE("date_of_birth")} >= 18`],
  ["how many patients are under 18?", ""],
  ["oldest patient", "SELECT full_name FROM patients ORDER BY date_of_birth LIMIT 1"],
  ["highest age", `SELECT max(${AGE("date_of_birth")}) FROM patients`],
  ["average length of stay", "SELECT avg(discharged_on - admitted_on) FROM admissions"],
  ["average length of stay by ward", "SELECT ward, avg(discharged_on - admitted_on) FROM admissions GROUP BY 1"],
  ["average days between admission and discharge", "SELECT avg(discharged_on - admitted_on) FROM admissions"],
  [
    "how many admissions lasted more than 10 days?",
    "SELECT count(*) FROM admissions WHERE discharged_on - admitted_on > 10",
  ],
  ["longest stay", "SELECT max(discharged_on - admitted_on) FROM admissions"],
  [
    "patients discharged within 2 days",
    "SELECT full_name FROM patients WHERE patient_id IN (SELECT patient_id FROM admissions WHERE discharged_on - admitted_on <= 2)",
  ],
  ["admissions discharged within 2 days", "SELECT * FROM admissions WHERE discharged_on - admitted_on <= 2"],
  [
    "admissions on weekends by ward",
    `SELECT ward, count(*) FROM admissions WHERE ${WEEKEND("admitted_on")} GROUP BY 1`,
  ],
  ["how many admissions were there on Saturdays", "SELECT count(*) FROM admissions WHERE isodow(admitted_on) = 6"],
  [
    "average age of patients admitted to Cardiology",
    `SELECT avg(${AGE("date_of_birth")}) FROM patients WHERE patient_id IN (SELECT patient_id FROM admissions WHERE ward = 'Cardiology')`,
  ],
  ["average hours from admission to discharge", ""],
  [
    "patients with fewer than 2 admissions",
    "SELECT full_name FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM admissions GROUP BY 1 HAVING count(*) >= 2)",
  ],
  [
    "how many patients have fewer than 3 admissions in 2026?",
    "SELECT count(*) FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM admissions WHERE year(admitted_on) = 2026 GROUP BY 1 HAVING count(*) >= 3)",
  ],
  ["age of patients by name", ""],
  ["average age of patients by month", ""],
];

const SUPPORT: readonly ComputedQuestion[] = [
  ["average resolution time", `SELECT avg(${ELAPSED("created_at", "resolved_at")}) FROM tickets`],
  ["average resolution time in hours", `SELECT avg(${ELAPSED("created_at", "resolved_at", 3600)}) FROM tickets`],
  [
    "average resolution time in hours by agent",
    `SELECT agent, avg(${ELAPSED("created_at", "resolved_at", 3600)}) FROM tickets GROUP BY 1`,
  ],
  [
    "median hours from creation to resolution",
    `SELECT median(${ELAPSED("created_at", "resolved_at", 3600)}) FROM tickets`,
  ],
  [
    "average minutes between created and first response",
    `SELECT avg(${ELAPSED("created_at", "first_response_at", 60)}) FROM tickets`,
  ],
  [
    "average first response time in hours",
    `SELECT avg(${ELAPSED("created_at", "first_response_at", 3600)}) FROM tickets`,
  ],
  [
    "how many tickets were resolved within 24 hours?",
    `SELECT count(*) FROM tickets WHERE ${ELAPSED("created_at", "resolved_at", 3600)} <= 24`,
  ],
  [
    "tickets resolved within 24 hours by agent",
    `SELECT agent, count(*) FROM tickets WHERE ${ELAPSED("created_at", "resolved_at", 3600)} <= 24 GROUP BY 1`,
  ],
  [
    "how many urgent tickets took more than 3 days to resolve?",
    `SELECT count(*) FROM tickets WHERE priority = 'urgent' AND ${ELAPSED("created_at", "resolved_at")} > 3`,
  ],
  ["unresolved tickets by priority", "SELECT priority, count(*) FROM tickets WHERE resolved_at IS NULL GROUP BY 1"],
  [
    "how many unresolved tickets does each agent have?",
    "SELECT agent, count(*) FROM tickets WHERE resolved_at IS NULL GROUP BY 1",
  ],
  ["how many tickets are resolved", "SELECT count(*) FROM tickets WHERE resolved_at IS NOT NULL"],
  [
    "tickets with first response within 1 hour",
    `SELECT * FROM tickets WHERE ${ELAPSED("created_at", "first_response_at", 3600)} <= 1`,
  ],
  ["tickets created on weekends", `SELECT count(*) FROM tickets WHERE ${WEEKEND("created_at")}`],
  [
    "tickets created on weekdays by priority",
    `SELECT priority, count(*) FROM tickets WHERE NOT ${WEEKEND("created_at")} GROUP BY 1`,
  ],
  [
    "7-day moving average of tickets in June 2026",
    "SELECT * FROM (SELECT m, n, CASE WHEN m - lag(m, 6) OVER (ORDER BY m) = 6 THEN avg(n) OVER (ORDER BY m ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) END FROM (SELECT created_at::DATE m, count(*) n FROM tickets GROUP BY 1)) WHERE m >= '2026-06-01' AND m < '2026-07-01'",
  ],
  ["unescalated tickets", "SELECT ticket_id FROM tickets WHERE NOT is_escalated"],
  ["how many tickets are unescalated?", "SELECT count(*) FROM tickets WHERE NOT is_escalated"],
  ["average time to close", ""],
  ["average waiting time", ""],
  ["late tickets", ""],
  ["average age of tickets", ""],
  ["agents with fewer than 80 tickets", "SELECT agent FROM tickets GROUP BY 1 HAVING count(*) < 80"],
  [
    "tickets resolved within a week",
    `SELECT ticket_id FROM tickets WHERE ${ELAPSED("created_at", "resolved_at")} <= 7`,
  ],
  ["unassigned tickets", ""],
];

/** Questions to what follows from columns, by the set of tables ([CA-76](../../../docs/spec/analytics.md#ca-76) and the rules behind it). */
export const COMPUTED_QUESTIONS: Readonly<Record<string, readonly ComputedQuestion[]>> = {
  retail: RETAIL,
  billing: BILLING,
  clinic: CLINIC,
  support: SUPPORT,
};
