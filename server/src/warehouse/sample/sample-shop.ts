/**
 * The statements that create Kettle & Kiln, a shop for tea and coffee: stores, products, customers, orders and order items of two
 * years. All values are fictitious. Every number comes from `draw`, a hash of the row number and a purpose, so the same last day
 * creates the same shop. Few products and customers make most of the sales, winters are busier than summers, and the second year is
 * larger.
 */
export const SAMPLE_SHOP: readonly string[] = [
  "CREATE MACRO draw(i, purpose) AS (md5_number_lower(purpose || ':' || i) % 1000003)::DOUBLE / 1000003",
  "CREATE MACRO pick(list, share) AS list[1 + floor(share * len(list))::INTEGER]",

  `CREATE TABLE stores (
    store_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, city VARCHAR NOT NULL, region VARCHAR NOT NULL,
    country VARCHAR NOT NULL, opened_on DATE NOT NULL)`,
  `INSERT INTO stores VALUES
    (1, 'Web shop', 'Leeds', 'Online', 'United Kingdom', DATE '2016-03-01'),
    (2, 'Leeds Corn Exchange', 'Leeds', 'North', 'United Kingdom', DATE '2014-05-12'),
    (3, 'York Shambles', 'York', 'North', 'United Kingdom', DATE '2017-09-02'),
    (4, 'Manchester Northern Quarter', 'Manchester', 'North', 'United Kingdom', DATE '2018-04-21'),
    (5, 'Bristol Harbourside', 'Bristol', 'South', 'United Kingdom', DATE '2019-06-15'),
    (6, 'London Spitalfields', 'London', 'South', 'United Kingdom', DATE '2019-10-04'),
    (7, 'London Richmond', 'London', 'South', 'United Kingdom', DATE '2021-03-13'),
    (8, 'Edinburgh Stockbridge', 'Edinburgh', 'Scotland', 'United Kingdom', DATE '2020-08-29'),
    (9, 'Dublin Drury Street', 'Dublin', 'Ireland', 'Ireland', DATE '2022-02-05'),
    (10, 'Utrecht Oudegracht', 'Utrecht', 'Continent', 'Netherlands', DATE '2023-05-20')`,

  `CREATE TABLE products (
    product_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, category VARCHAR NOT NULL,
    price DECIMAL(10, 2) NOT NULL, cost DECIMAL(10, 2) NOT NULL, launched_on DATE NOT NULL)`,
  `INSERT INTO products
    WITH kinds(category, thing, base) AS (VALUES
      ('Tea', 'Assam', 9), ('Tea', 'Sencha', 12), ('Tea', 'Earl Grey', 8), ('Tea', 'Rooibos', 7), ('Tea', 'Oolong', 15),
      ('Coffee', 'House Blend', 11), ('Coffee', 'Single Origin', 16), ('Coffee', 'Decaf', 12), ('Coffee', 'Espresso Roast', 13),
      ('Kettles', 'Stovetop Kettle', 48), ('Kettles', 'Gooseneck Kettle', 79), ('Kettles', 'Electric Kettle', 95),
      ('Teapots', 'Stoneware Teapot', 42), ('Teapots', 'Glass Teapot', 36), ('Teapots', 'Cast Iron Teapot', 68),
      ('Mugs', 'Stoneware Mug', 14), ('Mugs', 'Espresso Cup', 11), ('Mugs', 'Travel Mug', 24),
      ('Grinders', 'Hand Grinder', 65), ('Grinders', 'Burr Grinder', 189)),
    sorts(sort, factor) AS (VALUES ('Classic', 1.0), ('Reserve', 1.45), ('Small', 0.7)),
    numbered AS (
      SELECT row_number() OVER (ORDER BY category, thing, sort)::INTEGER AS i, sort || ' ' || thing AS name, category,
        round(base * factor, 0) - 0.05 AS price FROM kinds, sorts)
    SELECT i, name, category, price, round(price * (0.38 + 0.2 * draw(i, 'cost')), 2),
      DATE '2019-01-01' + floor(1600 * draw(i, 'launch'))::INTEGER FROM numbered`,

  `CREATE TABLE customers (
    customer_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, city VARCHAR NOT NULL, country VARCHAR NOT NULL,
    segment VARCHAR NOT NULL, joined_on DATE NOT NULL)`,
  `INSERT INTO customers
    SELECT i,
      pick(['Ada','Bilal','Chloe','Dev','Elin','Farah','Gwen','Hugo','Iris','Jonas','Kofi','Lena','Mara','Nils','Orla','Priya','Quinn','Rosa','Sami','Tess','Uma','Viktor','Wren','Yusuf'], draw(i, 'first'))
        || ' ' ||
      pick(['Abbott','Byrne','Castillo','Dunn','Eriksen','Fraser','Grant','Hughes','Iqbal','Jansen','Kaur','Lowe','Murphy','Novak','Okafor','Patel','Quigley','Reid','Shaw','Turner','Visser','Walsh','Young','Zhang'], draw(i, 'last')),
      place[1], place[2],
      CASE WHEN share < 0.08 THEN 'Trade' WHEN share < 0.30 THEN 'Loyal' WHEN share < 0.72 THEN 'Regular' ELSE 'New' END,
      DATE '$start' - floor(900 * draw(i, 'joined'))::INTEGER
    FROM (SELECT i::INTEGER AS i, draw(i, 'segment') AS share,
      pick([['London','United Kingdom'],['London','United Kingdom'],['Leeds','United Kingdom'],['Leeds','United Kingdom'],
            ['Manchester','United Kingdom'],['Bristol','United Kingdom'],['York','United Kingdom'],['Edinburgh','United Kingdom'],
            ['Glasgow','United Kingdom'],['Dublin','Ireland'],['Cork','Ireland'],['Utrecht','Netherlands'],['Amsterdam','Netherlands']],
        draw(i, 'place')) AS place
      FROM range(1, 2401) r(i))`,

  `CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
    store_id INTEGER NOT NULL REFERENCES stores (store_id), ordered_at TIMESTAMP NOT NULL,
    channel VARCHAR NOT NULL, status VARCHAR NOT NULL, delivered_on DATE)`,
  `INSERT INTO orders
    WITH days AS (
      SELECT d::INTEGER AS d, (DATE '$start' + d::INTEGER) AS day FROM range(0, 730) r(d)),
    counted AS (
      SELECT d, day, floor((15 + 8 * (d / 730.0)) * (1 + 0.5 * cos(2 * pi() * (dayofyear(day) - 349) / 365))
        * pick([1.25, 0.85, 0.85, 0.9, 1.0, 1.2, 1.45], dayofweek(day) / 7.0) * (0.75 + 0.5 * draw(d, 'busy')))::INTEGER AS n FROM days),
    numbered AS (
      SELECT row_number() OVER (ORDER BY d, k)::INTEGER AS i, day FROM counted, range(0, 60) r(k) WHERE k < n),
    placed AS (
      SELECT i, day, day + INTERVAL (floor(8 * 60 + 12 * 60 * draw(i, 'time'))::INTEGER) MINUTE AS moment,
        1 + floor(2400 * pow(draw(i, 'customer'), 1.9))::INTEGER AS customer,
        CASE WHEN draw(i, 'online') < 0.46 THEN 1 ELSE 2 + floor(9 * pow(draw(i, 'store'), 1.3))::INTEGER END AS store,
        draw(i, 'status') AS fate FROM numbered)
    SELECT i, customer, store, moment,
      CASE WHEN store > 1 THEN 'Store' WHEN draw(i, 'phone') < 0.09 THEN 'Phone' ELSE 'Web' END,
      CASE WHEN fate < 0.035 THEN 'Cancelled' WHEN fate < 0.085 THEN 'Returned'
           WHEN day > DATE '$start' + 723 AND store = 1 THEN 'Shipped' ELSE 'Delivered' END,
      CASE WHEN fate < 0.035 OR (day > DATE '$start' + 723 AND store = 1) THEN NULL
           WHEN store > 1 THEN day ELSE day + 1 + floor(5 * draw(i, 'transit'))::INTEGER END
    FROM placed`,

  `CREATE TABLE order_items (
    order_id INTEGER NOT NULL REFERENCES orders (order_id), line INTEGER NOT NULL,
    product_id INTEGER NOT NULL REFERENCES products (product_id), quantity INTEGER NOT NULL,
    unit_price DECIMAL(10, 2) NOT NULL, discount DECIMAL(10, 2) NOT NULL, PRIMARY KEY (order_id, line))`,
  `INSERT INTO order_items
    WITH lines AS (
      SELECT o.order_id, l::INTEGER AS line, c.segment, o.order_id * 8 + l AS i
      FROM orders o JOIN customers c USING (customer_id), range(1, 6) r(l)
      WHERE l <= 1 + floor(4 * pow(draw(o.order_id, 'lines'), 2.1))),
    chosen AS (
      SELECT *, 1 + floor(60 * pow(draw(i, 'product'), 1.7))::INTEGER AS rank,
        CASE WHEN segment = 'Trade' THEN 3 + floor(9 * draw(i, 'many'))::INTEGER ELSE 1 + floor(3 * pow(draw(i, 'many'), 3))::INTEGER END AS quantity
      FROM lines),
    ranked AS (SELECT product_id, price, row_number() OVER (ORDER BY draw(product_id, 'popular')) AS rank FROM products)
    SELECT order_id, line, product_id, quantity, price,
      round(CASE WHEN segment = 'Trade' THEN 0.15 WHEN segment = 'Loyal' AND draw(i, 'offer') < 0.3 THEN 0.1
                 WHEN draw(i, 'offer') < 0.06 THEN 0.2 ELSE 0 END * price * quantity, 2)
    FROM chosen JOIN ranked USING (rank)`,

  "COMMENT ON TABLE stores IS 'Shops, and the web shop as store 1'",
  "COMMENT ON TABLE products IS 'What is sold'",
  "COMMENT ON TABLE customers IS 'Everybody who has bought something'",
  "COMMENT ON TABLE orders IS 'One row for each order'",
  "COMMENT ON TABLE order_items IS 'One row for each product of an order. Revenue of a line is quantity * unit_price - discount'",
  "COMMENT ON COLUMN stores.region IS 'Sales region of the store; Online for the web shop'",
  "COMMENT ON COLUMN products.category IS 'Tea, Coffee, Kettles, Teapots, Mugs or Grinders'",
  "COMMENT ON COLUMN products.price IS 'List price in pounds, tax included'",
  "COMMENT ON COLUMN products.cost IS 'What one piece costs the shop, in pounds'",
  "COMMENT ON COLUMN customers.segment IS 'New, Regular, Loyal or Trade'",
  "COMMENT ON COLUMN customers.city IS 'Where the customer lives'",
  "COMMENT ON COLUMN orders.ordered_at IS 'When the order was placed, local time'",
  "COMMENT ON COLUMN orders.channel IS 'Web, Phone or Store'",
  "COMMENT ON COLUMN orders.status IS 'Delivered, Shipped, Returned or Cancelled'",
  "COMMENT ON COLUMN orders.delivered_on IS 'Empty until it is delivered'",
  "COMMENT ON COLUMN order_items.quantity IS 'Pieces'",
  "COMMENT ON COLUMN order_items.unit_price IS 'Price of one piece in pounds when it was ordered'",
  "COMMENT ON COLUMN order_items.discount IS 'Taken off the line, in pounds'",
];
