/** A question in plain English and the same asked in SQL by hand; columns go by position, rows by the order that is asked for. */
interface TpchQuestion {
  readonly question: string;
  readonly sql: string;
}

const REVENUE = "sum(l_extendedprice * (1 - l_discount))";

const PAIRS: readonly (readonly [question: string, sql: string])[] = [
  ["How many orders are there?", "SELECT count(*) FROM orders"],
  ["How many customers do we have?", "SELECT count(*) FROM customer"],
  ["What is the total revenue?", `SELECT ${REVENUE} FROM lineitem`],
  ["How many orders were placed in 1995?", "SELECT count(*) FROM orders WHERE year(o_orderdate) = 1995"],
  ["number of orders by priority", "SELECT o_orderpriority, count(*) n FROM orders GROUP BY 1 ORDER BY n DESC, 1"],
  ["revenue by ship mode", `SELECT l_shipmode, ${REVENUE} r FROM lineitem GROUP BY 1 ORDER BY r DESC`],
  [
    "Which shipping mode has the most units?",
    "SELECT l_shipmode, sum(l_quantity) u FROM lineitem GROUP BY 1 ORDER BY u DESC LIMIT 1",
  ],
  ["customers by market segment", "SELECT c_mktsegment, count(*) n FROM customer GROUP BY 1 ORDER BY n DESC"],
  [
    "average account balance by segment",
    "SELECT c_mktsegment, avg(c_acctbal) a FROM customer GROUP BY 1 ORDER BY a DESC",
  ],
  [
    "total account balance of BUILDING customers",
    "SELECT sum(c_acctbal) FROM customer WHERE c_mktsegment = 'BUILDING'",
  ],
  [
    "how many suppliers are in GERMANY?",
    "SELECT count(*) FROM supplier JOIN nation ON s_nationkey = n_nationkey WHERE n_name = 'GERMANY'",
  ],
  [
    "number of customers by nation",
    "SELECT n_name, count(*) n FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY 1 ORDER BY n DESC, 1",
  ],
  [
    "number of suppliers per region",
    "SELECT r_name, count(*) n FROM supplier JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey GROUP BY 1 ORDER BY n DESC, 1",
  ],
  [
    "top 10 customers by order value",
    "SELECT c_name, sum(o_totalprice) t FROM orders JOIN customer ON o_custkey = c_custkey GROUP BY c_custkey, c_name ORDER BY t DESC LIMIT 10",
  ],
  [
    "top 5 suppliers by revenue",
    `SELECT s_name, ${REVENUE} r FROM lineitem JOIN supplier ON l_suppkey = s_suppkey GROUP BY s_suppkey, s_name ORDER BY r DESC LIMIT 5`,
  ],
  [
    "orders per month in 1996",
    "SELECT date_trunc('month', o_orderdate)::DATE m, count(*) FROM orders WHERE year(o_orderdate) = 1996 GROUP BY 1 ORDER BY 1",
  ],
  [
    "monthly revenue in 1994 by ship date",
    `SELECT date_trunc('month', l_shipdate)::DATE m, ${REVENUE} FROM lineitem WHERE year(l_shipdate) = 1994 GROUP BY 1 ORDER BY 1`,
  ],
  [
    "How many orders by year?",
    "SELECT date_trunc('year', o_orderdate)::DATE y, count(*) FROM orders GROUP BY 1 ORDER BY 1",
  ],
  [
    "average order value by year",
    "SELECT date_trunc('year', o_orderdate)::DATE y, avg(o_totalprice) FROM orders GROUP BY 1 ORDER BY 1",
  ],
  ["maximum order value", "SELECT max(o_totalprice) FROM orders"],
  ["median order value", "SELECT median(o_totalprice) FROM orders"],
  [
    "smallest supply cost by part type",
    "SELECT p_type, min(ps_supplycost) m FROM partsupp JOIN part ON ps_partkey = p_partkey GROUP BY 1 ORDER BY m DESC, 1",
  ],
  ["units by return flag", "SELECT l_returnflag, sum(l_quantity) u FROM lineitem GROUP BY 1 ORDER BY u DESC"],
  [
    "revenue by brand",
    `SELECT p_brand, ${REVENUE} r FROM lineitem JOIN part ON l_partkey = p_partkey GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "top 3 brands by units sold",
    "SELECT p_brand, sum(l_quantity) u FROM lineitem JOIN part ON l_partkey = p_partkey GROUP BY 1 ORDER BY u DESC LIMIT 3",
  ],
  ["How many parts are there per manufacturer?", "SELECT p_mfgr, count(*) n FROM part GROUP BY 1 ORDER BY n DESC"],
  [
    "average retail price by container",
    "SELECT p_container, avg(p_retailprice) a FROM part GROUP BY 1 ORDER BY a DESC",
  ],
  ["number of parts with size over 40", "SELECT count(*) FROM part WHERE p_size > 40"],
  ["how many orders have an order value above 400000?", "SELECT count(*) FROM orders WHERE o_totalprice > 400000"],
  [
    "how many orders with order value between 100000 and 200000",
    "SELECT count(*) FROM orders WHERE o_totalprice BETWEEN 100000 AND 200000",
  ],
  [
    "How many customers have more than 20 orders?",
    "SELECT count(*) FROM (SELECT o_custkey FROM orders GROUP BY 1 HAVING count(*) > 20)",
  ],
  [
    "customers with at least 22 orders",
    "SELECT c_name, count(*) n FROM orders JOIN customer ON o_custkey = c_custkey GROUP BY c_custkey, c_name HAVING count(*) >= 22 ORDER BY n DESC, c_name",
  ],
  [
    "What percentage of orders have priority 1-URGENT?",
    "SELECT round(100.0 * count(*) FILTER (o_orderpriority = '1-URGENT') / count(*), 2) FROM orders",
  ],
  [
    "share of revenue by ship mode",
    `SELECT l_shipmode, ${REVENUE} r, round(100.0 * r / sum(r) OVER (), 2) FROM lineitem GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "revenue of AIR and RAIL in 1995",
    `SELECT ${REVENUE} FROM lineitem WHERE l_shipmode IN ('AIR', 'RAIL') AND year(l_shipdate) = 1995`,
  ],
  [
    "compare revenue of AIR and TRUCK",
    `SELECT l_shipmode, ${REVENUE} r FROM lineitem WHERE l_shipmode IN ('AIR', 'TRUCK') GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "units not shipped by TRUCK by ship mode",
    "SELECT l_shipmode, sum(l_quantity) u FROM lineitem WHERE l_shipmode <> 'TRUCK' GROUP BY 1 ORDER BY u DESC",
  ],
  [
    "number of orders for FURNITURE customers in 1997",
    "SELECT count(*) FROM orders JOIN customer ON o_custkey = c_custkey WHERE c_mktsegment = 'FURNITURE' AND year(o_orderdate) = 1997",
  ],
  [
    "how many different customers ordered in 1998?",
    "SELECT count(DISTINCT o_custkey) FROM orders WHERE year(o_orderdate) = 1998",
  ],
  [
    "revenue growth by year",
    `SELECT date_trunc('year', l_shipdate)::DATE y, ${REVENUE} r, round(100.0 * (r - lag(r) OVER (ORDER BY y)) / lag(r) OVER (ORDER BY y), 2) FROM lineitem GROUP BY 1 ORDER BY 1`,
  ],
  [
    "cumulative orders in 1993",
    "SELECT m, n, sum(n) OVER (ORDER BY m) FROM (SELECT date_trunc('month', o_orderdate)::DATE m, count(*) n FROM orders WHERE year(o_orderdate) = 1993 GROUP BY 1) ORDER BY 1",
  ],
  [
    "orders by priority and status",
    "SELECT o_orderpriority, o_orderstatus, count(*) n FROM orders GROUP BY 1, 2 ORDER BY n DESC, 1, 2",
  ],
  [
    "average discount by return flag",
    "SELECT l_returnflag, avg(l_discount) a FROM lineitem GROUP BY 1 ORDER BY a DESC",
  ],
  [
    "lowest account balance by segment",
    "SELECT c_mktsegment, min(c_acctbal) m FROM customer GROUP BY 1 ORDER BY m DESC",
  ],
  ["average revenue per order", `SELECT ${REVENUE} / count(DISTINCT l_orderkey) FROM lineitem`],
  [
    "orders in Q2 1994",
    "SELECT count(*) FROM orders WHERE o_orderdate >= DATE '1994-04-01' AND o_orderdate < DATE '1994-07-01'",
  ],
  [
    "number of orders between March 1995 and May 1995",
    "SELECT count(*) FROM orders WHERE o_orderdate >= DATE '1995-03-01' AND o_orderdate < DATE '1995-06-01'",
  ],
  [
    "orders since June 1998 by month",
    "SELECT date_trunc('month', o_orderdate)::DATE m, count(*) FROM orders WHERE o_orderdate >= DATE '1998-06-01' GROUP BY 1 ORDER BY 1",
  ],
  ["when was the first order?", "SELECT min(o_orderdate) FROM orders"],
  ["when was the last order?", "SELECT max(o_orderdate) FROM orders"],
  [
    "total stock by supplier nation",
    "SELECT n_name, sum(ps_availqty) q FROM partsupp JOIN supplier ON ps_suppkey = s_suppkey JOIN nation ON s_nationkey = n_nationkey GROUP BY 1 ORDER BY q DESC",
  ],
  ["total available quantity", "SELECT sum(ps_availqty) FROM partsupp"],
  [
    "average supply cost by brand",
    "SELECT p_brand, avg(ps_supplycost) a FROM partsupp JOIN part ON ps_partkey = p_partkey GROUP BY 1 ORDER BY a DESC",
  ],
  [
    "number of offers per supplier",
    "SELECT s_name, count(*) n FROM partsupp JOIN supplier ON ps_suppkey = s_suppkey GROUP BY s_suppkey, s_name ORDER BY n DESC, s_name LIMIT 1000",
  ],
  [
    "how many line items have return flag R in 1993?",
    "SELECT count(*) FROM lineitem WHERE l_returnflag = 'R' AND year(l_shipdate) = 1993",
  ],
  ["line items by ship instruct", "SELECT l_shipinstruct, count(*) n FROM lineitem GROUP BY 1 ORDER BY n DESC"],
  [
    "gross revenue and charge by year",
    "SELECT date_trunc('year', l_shipdate)::DATE y, sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) FROM lineitem GROUP BY 1 ORDER BY 1",
  ],
  [
    "revenue 1995 vs 1996",
    `SELECT date_trunc('year', l_shipdate)::DATE y, ${REVENUE} FROM lineitem WHERE year(l_shipdate) IN (1995, 1996) GROUP BY 1 ORDER BY 1`,
  ],
  [
    "top 2 brands in each manufacturer by units",
    "SELECT p_brand, p_mfgr, u FROM (SELECT p_brand, p_mfgr, sum(l_quantity) u, row_number() OVER (PARTITION BY p_mfgr ORDER BY u DESC, p_brand) k FROM lineitem JOIN part ON l_partkey = p_partkey GROUP BY 1, 2) WHERE k <= 2 ORDER BY p_mfgr, u DESC",
  ],
  [
    "weekly orders in January 1996",
    "SELECT date_trunc('week', o_orderdate)::DATE w, count(*) FROM orders WHERE o_orderdate >= DATE '1996-01-01' AND o_orderdate < DATE '1996-02-01' GROUP BY 1 ORDER BY 1",
  ],
  ["number of different brands", "SELECT count(DISTINCT p_brand) FROM part"],
  [
    "revenue of LARGE STEEL parts",
    `SELECT ${REVENUE} FROM lineitem JOIN part ON l_partkey = p_partkey WHERE p_type = 'LARGE STEEL'`,
  ],
  [
    "total charge by year from 1992 to 1994",
    "SELECT date_trunc('year', l_shipdate)::DATE y, sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) FROM lineitem WHERE year(l_shipdate) BETWEEN 1992 AND 1994 GROUP BY 1 ORDER BY 1",
  ],
  [
    "orders without priority 5-LOW by status",
    "SELECT o_orderstatus, count(*) n FROM orders WHERE o_orderpriority <> '5-LOW' GROUP BY 1 ORDER BY n DESC",
  ],
];

/** Sixty questions. */
export const TPCH_QUESTIONS: readonly TpchQuestion[] = PAIRS.map(([question, sql]) => ({ question, sql }));
