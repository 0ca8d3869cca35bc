import type { Right } from "./fresh-questions.ts";

const REV = "sum(l_extendedprice * (1 - l_discount))";
const LO = "lineitem JOIN orders ON l_orderkey = o_orderkey";
const LOC = `${LO} JOIN customer ON o_custkey = c_custkey`;
const CN = "customer JOIN nation ON c_nationkey = n_nationkey";
const CNR = `${CN} JOIN region ON n_regionkey = r_regionkey`;

export const TPCH_RIGHT: Right = [
  [
    "How many orders did not ship by rail?",
    "SELECT count(DISTINCT l_orderkey) FROM lineitem WHERE l_shipmode <> 'RAIL'",
  ],
  [
    "number of lines shipped by neither truck nor mail",
    "SELECT count(*) FROM lineitem WHERE l_shipmode NOT IN ('TRUCK', 'MAIL')",
  ],
  ["total revenue excluding the BUILDING segment", `SELECT ${REV} FROM ${LOC} WHERE c_mktsegment <> 'BUILDING'`],
  [
    "customer with the most orders in 1996",
    "SELECT c_name, count(*) n FROM orders JOIN customer ON o_custkey = c_custkey WHERE year(o_orderdate) = 1996 GROUP BY c_custkey, c_name QUALIFY rank() OVER (ORDER BY count(*) DESC) = 1 ORDER BY c_name",
  ],
  ["customers without orders", "SELECT * FROM customer WHERE c_custkey NOT IN (SELECT o_custkey FROM orders)"],
  [
    "how many customers have at least 20 orders?",
    "SELECT count(*) FROM (SELECT o_custkey FROM orders GROUP BY 1 HAVING count(*) >= 20)",
  ],
  [
    "how many customers placed more than 15 orders in 1996?",
    "SELECT count(*) FROM (SELECT o_custkey FROM orders WHERE year(o_orderdate) = 1996 GROUP BY 1 HAVING count(*) > 15)",
  ],
  [
    "revenue last quarter",
    `SELECT ${REV} FROM lineitem WHERE l_shipdate >= '1998-04-01' AND l_shipdate < '1998-07-01'`,
  ],
  [
    "orders placed last month",
    "SELECT count(*) FROM orders WHERE o_orderdate >= '1998-07-01' AND o_orderdate < '1998-08-01'",
  ],
  [
    "number of orders in the last 7 days",
    "SELECT count(*) FROM orders WHERE o_orderdate >= '1998-07-26' AND o_orderdate < '1998-08-02'",
  ],
  ["how many orders before 1993?", "SELECT count(*) FROM orders WHERE o_orderdate < '1993-01-01'"],
  ["how many orders since 1997?", "SELECT count(*) FROM orders WHERE o_orderdate >= '1997-01-01'"],
  ["orders after March 15 1998", "SELECT count(*) FROM orders WHERE o_orderdate > '1998-03-15'"],
  [
    "average order value per customer segment",
    "SELECT c_mktsegment, avg(o_totalprice) a FROM orders JOIN customer ON o_custkey = c_custkey GROUP BY 1 ORDER BY a DESC",
  ],
  ["average number of orders per customer", "SELECT count(*) / count(DISTINCT o_custkey) FROM orders"],
  [
    "average quantity per line by ship mode",
    "SELECT l_shipmode, avg(l_quantity) a FROM lineitem GROUP BY 1 ORDER BY a DESC",
  ],
  [
    "which nations have no suppliers?",
    "SELECT * FROM nation WHERE n_nationkey NOT IN (SELECT s_nationkey FROM supplier)",
  ],
  [
    "how many supliers are there in germany?",
    "SELECT count(*) FROM supplier JOIN nation ON s_nationkey = n_nationkey WHERE n_name = 'GERMANY'",
  ],
  [
    "custmers per region",
    "SELECT r_name, count(*) n FROM customer JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey GROUP BY 1 ORDER BY n DESC",
  ],
  ["revenu by shipmode", `SELECT l_shipmode, ${REV} r FROM lineitem GROUP BY 1 ORDER BY r DESC`],
  ["how many customers have a balance below zero?", "SELECT count(*) FROM customer WHERE c_acctbal < 0"],
  ["parts with a size of 50", "SELECT * FROM part WHERE p_size = 50"],
  ["cheapest part by retail price", "SELECT p_name, p_retailprice FROM part ORDER BY p_retailprice LIMIT 1"],
  [
    "total stock per manufacturer",
    "SELECT p_mfgr, sum(ps_availqty) s FROM partsupp JOIN part ON ps_partkey = p_partkey GROUP BY 1 ORDER BY s DESC",
  ],
  [
    "average supply cost per brand, top 3",
    "SELECT p_brand, avg(ps_supplycost) a FROM partsupp JOIN part ON ps_partkey = p_partkey GROUP BY 1 ORDER BY a DESC LIMIT 3",
  ],
  [
    "how many different parts were ordered in 1997?",
    `SELECT count(DISTINCT l_partkey) FROM ${LO} WHERE year(o_orderdate) = 1997`,
  ],
  [
    "share of revenue by market segment in 1995",
    `SELECT c_mktsegment, ${REV} r, round(100.0 * ${REV} / sum(${REV}) OVER (), 2) FROM ${LOC} WHERE year(l_shipdate) = 1995 GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "revenue of customers in France versus Germany",
    `SELECT n_name, ${REV} r FROM ${LOC} JOIN nation ON c_nationkey = n_nationkey WHERE n_name IN ('FRANCE', 'GERMANY') GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "compare revenue of 1996 and 1997",
    `SELECT date_trunc('year', l_shipdate)::DATE y, ${REV} FROM lineitem WHERE year(l_shipdate) IN (1996, 1997) GROUP BY 1 ORDER BY 1`,
  ],
  [
    "every brand whose revenue is above 90 million",
    `SELECT p_brand, ${REV} r FROM lineitem JOIN part ON l_partkey = p_partkey GROUP BY 1 HAVING r > 90000000 ORDER BY r DESC`,
  ],
  [
    "orders per quarter in 1993",
    "SELECT date_trunc('quarter', o_orderdate)::DATE q, count(*) FROM orders WHERE year(o_orderdate) = 1993 GROUP BY 1 ORDER BY 1",
  ],
  [
    "monthly revenue of AUTOMOBILE customers in 1992",
    `SELECT date_trunc('month', l_shipdate)::DATE m, ${REV} FROM ${LOC} WHERE year(l_shipdate) = 1992 AND c_mktsegment = 'AUTOMOBILE' GROUP BY 1 ORDER BY 1`,
  ],
  [
    "how many lines were shipped in December 1995?",
    "SELECT count(*) FROM lineitem WHERE l_shipdate >= '1995-12-01' AND l_shipdate < '1996-01-01'",
  ],
  ["highest discount", "SELECT max(l_discount) FROM lineitem"],
  [
    "how many orders contain part 100?",
    "SELECT count(DISTINCT l_orderkey) FROM lineitem JOIN part ON l_partkey = p_partkey WHERE p_name = 'part 100'",
  ],
  [
    "customers from Japan or China with a balance over 9990",
    `SELECT customer.* FROM ${CN} WHERE n_name IN ('JAPAN', 'CHINA') AND c_acctbal > 9990`,
  ],
  [
    "revenue by nation of the supplier",
    `SELECT n_name, ${REV} r FROM lineitem JOIN supplier ON l_suppkey = s_suppkey JOIN nation ON s_nationkey = n_nationkey GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "top supplier per region by revenue",
    `SELECT s_name, r_name, ${REV} r FROM lineitem JOIN supplier ON l_suppkey = s_suppkey JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey GROUP BY s_suppkey, s_name, r_name QUALIFY row_number() OVER (PARTITION BY r_name ORDER BY r DESC) = 1 ORDER BY r_name`,
  ],
  ["median order value in 1998", "SELECT median(o_totalprice) FROM orders WHERE year(o_orderdate) = 1998"],
  [
    "orders with more than 6 lines",
    "SELECT l_orderkey, count(*) n FROM lineitem GROUP BY 1 HAVING n > 6 ORDER BY n DESC, 1 LIMIT 1000",
  ],
  [
    "how many orders have exactly one line?",
    "SELECT count(*) FROM (SELECT l_orderkey FROM lineitem GROUP BY 1 HAVING count(*) = 1)",
  ],
  [
    "how many nations are in Asia?",
    "SELECT count(*) FROM nation JOIN region ON n_regionkey = r_regionkey WHERE r_name = 'ASIA'",
  ],
  [
    "which nation of Asia has the most suppliers",
    "SELECT n_name, count(*) n FROM supplier JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey WHERE r_name = 'ASIA' GROUP BY 1 ORDER BY n DESC LIMIT 1",
  ],
  ["revenue per order", `SELECT l_orderkey, ${REV} r FROM lineitem GROUP BY 1 ORDER BY r DESC, 1 LIMIT 1000`],
  ["How many parts have size 7?", "SELECT count(*) FROM part WHERE p_size = 7"],
  [
    "count customers per segment who live in Africa",
    `SELECT c_mktsegment, count(*) n FROM ${CNR} WHERE r_name = 'AFRICA' GROUP BY 1 ORDER BY n DESC`,
  ],
  [
    "how many customers have no orders?",
    "SELECT count(*) FROM customer WHERE c_custkey NOT IN (SELECT o_custkey FROM orders)",
  ],
  [
    "total order value of customers not from Europe or Asia",
    "SELECT sum(o_totalprice) FROM orders JOIN customer ON o_custkey = c_custkey JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey WHERE r_name NOT IN ('EUROPE', 'ASIA')",
  ],
  [
    "average extended price by return flag",
    "SELECT l_returnflag, avg(l_extendedprice) a FROM lineitem GROUP BY 1 ORDER BY a DESC",
  ],
  ["number of lines shipped by air", "SELECT count(*) FROM lineitem WHERE l_shipmode = 'AIR'"],
  ["number of lines shipped by ship", "SELECT count(*) FROM lineitem WHERE l_shipmode = 'SHIP'"],
  [
    "lines per ship mode excluding ship",
    "SELECT l_shipmode, count(*) n FROM lineitem WHERE l_shipmode <> 'SHIP' GROUP BY 1 ORDER BY n DESC",
  ],
  [
    "how many lines have a discount above 0.05 and a quantity below 10",
    "SELECT count(*) FROM lineitem WHERE l_discount > 0.05 AND l_quantity < 10",
  ],
  ["how many lines have a quantity of at least 45", "SELECT count(*) FROM lineitem WHERE l_quantity >= 45"],
  ["total quantity of lines with return flag A", "SELECT sum(l_quantity) FROM lineitem WHERE l_returnflag = 'A'"],
  [
    "total quantity of lines with a return flag other than N",
    "SELECT l_returnflag, sum(l_quantity) q FROM lineitem WHERE l_returnflag <> 'N' GROUP BY 1 ORDER BY q DESC",
  ],
  [
    "orders in January 1995",
    "SELECT count(*) FROM orders WHERE o_orderdate >= '1995-01-01' AND o_orderdate < '1995-02-01'",
  ],
  ["how many orders were placed on 1995-03-15?", "SELECT count(*) FROM orders WHERE o_orderdate = '1995-03-15'"],
  [
    "how many orders from 1995 to 1996?",
    "SELECT count(*) FROM orders WHERE o_orderdate >= '1995-01-01' AND o_orderdate < '1997-01-01'",
  ],
  ["order value this year", "SELECT sum(o_totalprice) FROM orders WHERE year(o_orderdate) = 1998"],
  [
    "nations with at least 600 customers",
    "SELECT n_name, count(*) n FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY 1 HAVING n >= 600 ORDER BY n DESC, 1",
  ],
  [
    "how many nations have at least 600 customers?",
    "SELECT count(*) FROM (SELECT n_name, count(*) n FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY 1 HAVING n >= 600)",
  ],
  [
    "average balance of customers in France",
    "SELECT avg(c_acctbal) FROM customer JOIN nation ON c_nationkey = n_nationkey WHERE n_name = 'FRANCE'",
  ],
  [
    "maximum order value per year",
    "SELECT date_trunc('year', o_orderdate)::DATE y, max(o_totalprice) FROM orders GROUP BY 1 ORDER BY 1",
  ],
  [
    "total available quantity of offers with a supply cost under 100",
    "SELECT sum(ps_availqty) FROM partsupp WHERE ps_supplycost < 100",
  ],
  ["how many parts does each manufacturer have", "SELECT p_mfgr, count(*) n FROM part GROUP BY 1 ORDER BY n DESC"],
  [
    "number of brands per manufacturer",
    "SELECT p_mfgr, count(DISTINCT p_brand) n FROM part GROUP BY 1 ORDER BY n DESC, 1",
  ],
  [
    "number of suppliers without offers",
    "SELECT count(*) FROM supplier WHERE s_suppkey NOT IN (SELECT ps_suppkey FROM partsupp)",
  ],
  [
    "revenue by customer nation in Europe",
    `SELECT n_name, ${REV} r FROM ${LOC} JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey WHERE r_name = 'EUROPE' GROUP BY 1 ORDER BY r DESC`,
  ],
  [
    "top 3 nations by number of customers, excluding China",
    "SELECT n_name, count(*) n FROM customer JOIN nation ON c_nationkey = n_nationkey WHERE n_name <> 'CHINA' GROUP BY 1 ORDER BY n DESC LIMIT 3",
  ],
  [
    "how many distinct customers ordered in 1997?",
    "SELECT count(DISTINCT o_custkey) FROM orders WHERE year(o_orderdate) = 1997",
  ],
  [
    "how many customers ordered exactly once?",
    "SELECT count(*) FROM (SELECT o_custkey FROM orders GROUP BY 1 HAVING count(*) = 1)",
  ],
  [
    "how many customers ordered at least 20 times?",
    "SELECT count(*) FROM (SELECT o_custkey FROM orders GROUP BY 1 HAVING count(*) >= 20)",
  ],
  [
    "orders above the average order value",
    "SELECT o_orderkey, o_totalprice FROM orders WHERE o_totalprice > (SELECT avg(o_totalprice) FROM orders) ORDER BY 2 DESC, 1 LIMIT 1000",
  ],
  [
    "lines with tax over 0.07 by ship mode",
    "SELECT l_shipmode, count(*) n FROM lineitem WHERE l_tax > 0.07 GROUP BY 1 ORDER BY n DESC",
  ],
  [
    "total revenue of parts of Brand#11 and Brand#12",
    `SELECT ${REV} FROM lineitem JOIN part ON l_partkey = p_partkey WHERE p_brand IN ('Brand#11', 'Brand#12')`,
  ],
  [
    "weekly orders in March 1995",
    "SELECT date_trunc('week', o_orderdate)::DATE w, count(*) FROM orders WHERE o_orderdate >= '1995-03-01' AND o_orderdate < '1995-04-01' GROUP BY 1 ORDER BY 1",
  ],
  [
    "orders placed after 1997-12-31 with priority 1-URGENT",
    "SELECT count(*) FROM orders WHERE o_orderdate > '1997-12-31' AND o_orderpriority = '1-URGENT'",
  ],
  [
    "running total of order value by month in 1992",
    "SELECT date_trunc('month', o_orderdate)::DATE m, sum(o_totalprice) s, sum(sum(o_totalprice)) OVER (ORDER BY date_trunc('month', o_orderdate)) FROM orders WHERE year(o_orderdate) = 1992 GROUP BY date_trunc('month', o_orderdate) ORDER BY 1",
  ],
  [
    "revenue by year and segment without FURNITURE",
    `SELECT date_trunc('year', l_shipdate)::DATE y, c_mktsegment, ${REV} FROM ${LOC} WHERE c_mktsegment <> 'FURNITURE' GROUP BY 1, 2 ORDER BY 1, 2`,
  ],
  [
    "average balance of suppliers in France",
    "SELECT avg(s_acctbal) FROM supplier JOIN nation ON s_nationkey = n_nationkey WHERE n_name = 'FRANCE'",
  ],
  [
    "how many orders have a total price above 400000 in 1997?",
    "SELECT count(*) FROM orders WHERE o_totalprice > 400000 AND year(o_orderdate) = 1997",
  ],
  ["suppliers whose balance is below 0", "SELECT * FROM supplier WHERE s_acctbal < 0"],
  [
    "how many customers with a balance under 0 are in Asia?",
    "SELECT count(*) FROM customer JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey WHERE c_acctbal < 0 AND r_name = 'ASIA'",
  ],
  [
    "average discount per return flag in 1994",
    "SELECT l_returnflag, avg(l_discount) a FROM lineitem WHERE year(l_shipdate) = 1994 GROUP BY 1 ORDER BY a DESC",
  ],
  [
    "number of orders by status and priority",
    "SELECT o_orderstatus, o_orderpriority, count(*) n FROM orders GROUP BY 1, 2 ORDER BY n DESC",
  ],
  [
    "orders by customer nation",
    "SELECT n_name, count(*) n FROM orders JOIN customer ON o_custkey = c_custkey JOIN nation ON c_nationkey = n_nationkey GROUP BY 1 ORDER BY n DESC",
  ],
  [
    "customers by region and nation",
    "SELECT r_name, n_name, count(*) n FROM customer JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey GROUP BY 1, 2 ORDER BY n DESC, 1, 2",
  ],
  [
    "number of parts by container except JUMBO BOX",
    "SELECT p_container, count(*) n FROM part WHERE p_container <> 'JUMBO BOX' GROUP BY 1 ORDER BY n DESC, 1",
  ],
  ["how many parts come in a LG BOX?", "SELECT count(*) FROM part WHERE p_container = 'LG BOX'"],
  ["how many parts are promo brass?", "SELECT count(*) FROM part WHERE p_type = 'PROMO BRASS'"],
  ["retail price of part 17", "SELECT p_retailprice FROM part WHERE p_partkey = 17"],
  ["which parts have no offers", "SELECT * FROM part WHERE p_partkey NOT IN (SELECT ps_partkey FROM partsupp)"],
  ["average number of lines per order", "SELECT (SELECT count(*) FROM lineitem)/count(*) FROM orders"],
  [
    "best month by revenue in 1996",
    `SELECT date_trunc('month', l_shipdate)::DATE m, ${REV} r FROM lineitem WHERE year(l_shipdate) = 1996 GROUP BY 1 ORDER BY r DESC LIMIT 1`,
  ],
  [
    "units shipped in the first half of 1995",
    "SELECT sum(l_quantity) FROM lineitem WHERE l_shipdate >= '1995-01-01' AND l_shipdate < '1995-07-01'",
  ],
  ["units received in 1995", "SELECT sum(l_quantity) FROM lineitem WHERE year(l_receiptdate) = 1995"],
  [
    "revenue ordered in 1996",
    `SELECT ${REV} FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE year(o_orderdate) = 1996`,
  ],
  [
    "top 5 nations by average customer balance",
    "SELECT n_name, avg(c_acctbal) a FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY 1 ORDER BY a DESC LIMIT 5",
  ],
  [
    "nation with the lowest average customer balance",
    "SELECT n_name, avg(c_acctbal) a FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY 1 ORDER BY a LIMIT 1",
  ],
  ["share of AIR in lines", "SELECT round(100.0*count(*) FILTER (l_shipmode = 'AIR')/count(*), 2) FROM lineitem"],
  [
    "total order value by segment for orders over 400000",
    "SELECT c_mktsegment, sum(o_totalprice) s FROM orders JOIN customer ON o_custkey = c_custkey WHERE o_totalprice > 400000 GROUP BY 1 ORDER BY s DESC",
  ],
  ["order 7", "SELECT * FROM orders WHERE o_orderkey = 7"],
  [
    "revenue of Customer#000000042",
    `SELECT ${REV} FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey WHERE c_custkey = 42`,
  ],
  ["revenue of supplier 3 in 1995", `SELECT ${REV} FROM lineitem WHERE l_suppkey = 3 AND year(l_shipdate) = 1995`],
  [
    "how many orders did customer 42 place in 1995",
    "SELECT count(*) FROM orders WHERE o_custkey = 42 AND year(o_orderdate) = 1995",
  ],
  [
    "number of customers who did not order in 1997",
    "SELECT count(*) FROM customer WHERE c_custkey NOT IN (SELECT o_custkey FROM orders WHERE year(o_orderdate) = 1997)",
  ],
  ["nations without customers", "SELECT * FROM nation WHERE n_nationkey NOT IN (SELECT c_nationkey FROM customer)"],
  [
    "brands with fewer than 790 parts",
    "SELECT p_brand, count(*) n FROM part GROUP BY 1 HAVING n < 790 ORDER BY n DESC, 1",
  ],
  [
    "which segments have more than 3050 customers",
    "SELECT c_mktsegment, count(*) n FROM customer GROUP BY 1 HAVING n > 3050 ORDER BY n DESC, 1",
  ],
  ["how many orders were placed on a weekend", "SELECT count(*) FROM orders WHERE isodow(o_orderdate) > 5"],
  [
    "how many customers ordered fewer than 3 times in 1995?",
    "SELECT count(*) FROM customer WHERE c_custkey NOT IN (SELECT o_custkey FROM orders WHERE year(o_orderdate) = 1995 GROUP BY 1 HAVING count(*) >= 3)",
  ],
  ["when was the last order?", "SELECT max(o_orderdate) FROM orders"],
  [
    "when was the first order from Japan?",
    "SELECT min(o_orderdate) FROM orders JOIN customer ON o_custkey = c_custkey JOIN nation ON c_nationkey = n_nationkey WHERE n_name = 'JAPAN'",
  ],
];
