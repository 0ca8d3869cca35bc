/**
 * Tables of the TPC-H benchmark at a scale factor, made by our own statements: same tables, columns, keys and value lists, its own
 * random numbers. What comes out is the same each time, but not what the benchmark's generator would give.
 */
export function tpchStatements(scale: number): readonly string[] {
  const suppliers = Math.round(10_000 * scale);
  const parts = Math.round(200_000 * scale);
  const customers = Math.round(150_000 * scale);
  const orders = Math.round(1_500_000 * scale);
  return [
    "CREATE MACRO draw(i, purpose) AS (hash(i, purpose) % 1000003)::DOUBLE / 1000003",
    "CREATE MACRO pick(list, share) AS list[1 + floor(share * len(list))::INTEGER]",
    "CREATE TABLE region (r_regionkey INTEGER PRIMARY KEY, r_name VARCHAR NOT NULL)",
    "INSERT INTO region VALUES (0, 'AFRICA'), (1, 'AMERICA'), (2, 'ASIA'), (3, 'EUROPE'), (4, 'MIDDLE EAST')",
    `CREATE TABLE nation (n_nationkey INTEGER PRIMARY KEY, n_name VARCHAR NOT NULL,
      n_regionkey INTEGER NOT NULL)`,
    `INSERT INTO nation VALUES (0, 'ALGERIA', 0), (1, 'ARGENTINA', 1), (2, 'BRAZIL', 1), (3, 'CANADA', 1), (4, 'EGYPT', 4),
      (5, 'ETHIOPIA', 0), (6, 'FRANCE', 3), (7, 'GERMANY', 3), (8, 'INDIA', 2), (9, 'INDONESIA', 2), (10, 'IRAN', 4), (11, 'IRAQ', 4),
      (12, 'JAPAN', 2), (13, 'JORDAN', 4), (14, 'KENYA', 0), (15, 'MOROCCO', 0), (16, 'MOZAMBIQUE', 0), (17, 'PERU', 1),
      (18, 'CHINA', 2), (19, 'ROMANIA', 3), (20, 'SAUDI ARABIA', 4), (21, 'VIETNAM', 2), (22, 'RUSSIA', 3),
      (23, 'UNITED KINGDOM', 3), (24, 'UNITED STATES', 1)`,
    `CREATE TABLE supplier (s_suppkey INTEGER PRIMARY KEY, s_name VARCHAR NOT NULL,
      s_nationkey INTEGER NOT NULL, s_acctbal DECIMAL(15, 2) NOT NULL)`,
    `INSERT INTO supplier SELECT i, printf('Supplier#%09d', i), floor(25 * draw(i, 'sn')), round(-999 + 10998 * draw(i, 'sa'), 2)
      FROM range(1, ${suppliers + 1}) r(i)`,
    `CREATE TABLE part (p_partkey INTEGER PRIMARY KEY, p_name VARCHAR NOT NULL, p_mfgr VARCHAR NOT NULL, p_brand VARCHAR NOT NULL,
      p_type VARCHAR NOT NULL, p_size INTEGER NOT NULL, p_container VARCHAR NOT NULL, p_retailprice DECIMAL(15, 2) NOT NULL)`,
    `INSERT INTO part SELECT i, printf('part %d', i), printf('Manufacturer#%d', m), printf('Brand#%d%d', m, 1 + floor(5 * draw(i, 'pb'))::INTEGER),
        pick(['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO'], draw(i, 't1')) || ' ' ||
        pick(['TIN', 'NICKEL', 'BRASS', 'STEEL', 'COPPER'], draw(i, 't3')),
        1 + floor(50 * draw(i, 'ps')), pick(['SM', 'MED', 'JUMBO', 'WRAP', 'LG'], draw(i, 'c1')) || ' ' ||
        pick(['CASE', 'BOX', 'BAG', 'JAR', 'PKG'], draw(i, 'c2')), round(900 + (i % 1000) + 0.01 * (i % 97), 2)
      FROM (SELECT i, 1 + floor(5 * draw(i, 'pm'))::INTEGER AS m FROM range(1, ${parts + 1}) r(i))`,
    `CREATE TABLE partsupp (ps_partkey INTEGER NOT NULL, ps_suppkey INTEGER NOT NULL,
      ps_availqty INTEGER NOT NULL, ps_supplycost DECIMAL(15, 2) NOT NULL, PRIMARY KEY (ps_partkey, ps_suppkey))`,
    `INSERT INTO partsupp SELECT i, 1 + (i + k * ${Math.max(1, Math.floor(suppliers / 4))}) % ${suppliers}, 1 + floor(9999 * draw(i * 4 + k, 'aq')),
      round(1 + 999 * draw(i * 4 + k, 'sc'), 2) FROM range(1, ${parts + 1}) r(i), range(0, 4) q(k)`,
    `CREATE TABLE customer (c_custkey INTEGER PRIMARY KEY, c_name VARCHAR NOT NULL, c_nationkey INTEGER NOT NULL,
      c_acctbal DECIMAL(15, 2) NOT NULL, c_mktsegment VARCHAR NOT NULL)`,
    `INSERT INTO customer SELECT i, printf('Customer#%09d', i), floor(25 * draw(i, 'cn')), round(-999 + 10998 * draw(i, 'ca'), 2),
      pick(['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY', 'HOUSEHOLD'], draw(i, 'cm')) FROM range(1, ${customers + 1}) r(i)`,
    `CREATE TABLE orders (o_orderkey INTEGER PRIMARY KEY, o_custkey INTEGER NOT NULL, o_orderstatus VARCHAR NOT NULL,
      o_totalprice DECIMAL(15, 2) NOT NULL, o_orderdate DATE NOT NULL, o_orderpriority VARCHAR NOT NULL, o_shippriority INTEGER NOT NULL)`,
    `INSERT INTO orders SELECT i, 1 + floor(${customers} * draw(i, 'oc')), pick(['F', 'F', 'O', 'O', 'P'], draw(i, 'os')),
      round(900 + 450000 * draw(i, 'op'), 2), DATE '1992-01-01' + floor(2405 * draw(i, 'od'))::INTEGER,
      pick(['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW'], draw(i, 'opr')), 0 FROM range(1, ${orders + 1}) r(i)`,
    `CREATE TABLE lineitem (l_orderkey INTEGER NOT NULL, l_partkey INTEGER NOT NULL,
      l_suppkey INTEGER NOT NULL, l_linenumber INTEGER NOT NULL, l_quantity DECIMAL(15, 2) NOT NULL,
      l_extendedprice DECIMAL(15, 2) NOT NULL, l_discount DECIMAL(15, 2) NOT NULL, l_tax DECIMAL(15, 2) NOT NULL, l_returnflag VARCHAR NOT NULL,
      l_linestatus VARCHAR NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL, l_receiptdate DATE NOT NULL, l_shipmode VARCHAR NOT NULL,
      l_shipinstruct VARCHAR NOT NULL, PRIMARY KEY (l_orderkey, l_linenumber))`,
    `INSERT INTO lineitem SELECT o_orderkey, p, 1 + (p + (i % 4) * ${Math.max(1, Math.floor(suppliers / 4))}) % ${suppliers}, k, q, round(q * (900 + p % 1000), 2),
        round(0.10 * draw(i, 'ld'), 2), round(0.08 * draw(i, 'lt'), 2), pick(['R', 'A', 'N', 'N'], draw(i, 'lr')), pick(['F', 'O'], draw(i, 'ls')),
        shipped, o_orderdate + 30 + floor(61 * draw(i, 'lc'))::INTEGER, shipped + 1 + floor(30 * draw(i, 'lrd'))::INTEGER,
        pick(['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'], draw(i, 'lm')),
        pick(['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'], draw(i, 'li'))
      FROM (SELECT *, 1 + floor(${parts} * draw(i, 'lp'))::INTEGER AS p, 1 + floor(50 * draw(i, 'lq'))::INTEGER AS q,
          o_orderdate + 1 + floor(121 * draw(i, 'lsd'))::INTEGER AS shipped
        FROM (SELECT o_orderkey, o_orderdate, k, o_orderkey * 8 + k AS i FROM orders, range(1, 8) r(k) WHERE k <= 1 + floor(7 * draw(o_orderkey, 'lines'))))`,
  ];
}

/** What an author would tell of these tables, in the YAML form of a system instruction. */
export const TPCH_INSTRUCTION = `
- tables:
    - table:
        name: lineitem
        description: one line of an order
        synonyms: line items, lines
        measures:
          - measure: { name: revenue, exp: "SUM(l_extendedprice * (1 - l_discount))", synonyms: "sales, net revenue" }
          - measure: { name: gross revenue, exp: SUM(l_extendedprice) }
          - measure: { name: units, exp: SUM(l_quantity), synonyms: "pieces, units sold, items sold" }
          - measure: { name: charge, exp: "SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax))" }
        fields:
          - field: { name: l_shipmode, synonyms: "shipping mode, mode of shipping" }
          - field: { name: l_returnflag, synonyms: return flag }
          - field: { name: l_shipinstruct, synonyms: "ship instruct, shipping instruction" }
    - table:
        name: customer
        fields:
          - field: { name: c_mktsegment, synonyms: "market segment, segment" }
          - field: { name: c_acctbal, synonyms: "account balance, balance" }
    - table:
        name: supplier
        fields:
          - field: { name: s_acctbal, synonyms: supplier balance }
    - table:
        name: orders
        fields:
          - field: { name: o_orderpriority, synonyms: "priority, order priority" }
          - field: { name: o_totalprice, synonyms: "order value, total price" }
    - table:
        name: part
        fields:
          - field: { name: p_mfgr, synonyms: manufacturer }
    - table:
        name: partsupp
        description: which supplier offers which part
        synonyms: offers
        fields:
          - field: { name: ps_availqty, synonyms: "available quantity, stock" }
          - field: { name: ps_supplycost, synonyms: supply cost }
- relationships:
    - relationship: { left_table: lineitem, right_table: orders, relationship_columns: [{ left_column: l_orderkey, right_column: o_orderkey }] }
    - relationship: { left_table: lineitem, right_table: part, relationship_columns: [{ left_column: l_partkey, right_column: p_partkey }] }
    - relationship: { left_table: lineitem, right_table: supplier, relationship_columns: [{ left_column: l_suppkey, right_column: s_suppkey }] }
    - relationship: { left_table: partsupp, right_table: part, relationship_columns: [{ left_column: ps_partkey, right_column: p_partkey }] }
    - relationship: { left_table: partsupp, right_table: supplier, relationship_columns: [{ left_column: ps_suppkey, right_column: s_suppkey }] }
    - relationship: { left_table: orders, right_table: customer, relationship_columns: [{ left_column: o_custkey, right_column: c_custkey }] }
    - relationship: { left_table: customer, right_table: nation, relationship_columns: [{ left_column: c_nationkey, right_column: n_nationkey }] }
    - relationship: { left_table: supplier, right_table: nation, relationship_columns: [{ left_column: s_nationkey, right_column: n_nationkey }] }
    - relationship: { left_table: nation, right_table: region, relationship_columns: [{ left_column: n_regionkey, right_column: r_regionkey }] }
`;
