/** Random rows of the shop, the same for a seed: with orders of nobody, statuses without a value, and days without orders. */
export interface ShopRows {
  readonly customers: readonly { id: number; region: string | null; vip: boolean }[];
  readonly orders: readonly {
    id: number;
    customer_id: number | null;
    placed_at: string;
    status: string | null;
    amount: number;
    discount: number;
  }[];
  readonly items: readonly { order_id: number; line: number; product: string; quantity: number }[];
  readonly refunds: readonly { id: number; order_id: number; refunded_on: string | null; amount: number }[];
}

export type Random = () => number;

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

export function shopRows(random: Random): ShopRows {
  const count = (most: number) => Math.floor(random() * (most + 1));
  const day = (days: number) => new Date(Date.UTC(2025, 9, 20) + days * 86_400_000).toISOString().slice(0, 10);
  const customers = Array.from({ length: 6 }, (_, at) => ({
    id: at + 1,
    region: pick(random, ["North", "South", null]),
    vip: random() < 0.4,
  }));
  const orders = Array.from({ length: 40 }, (_, at) => ({
    id: at + 1,
    customer_id: random() < 0.1 ? null : 1 + count(5),
    placed_at: `${day(count(130))} ${String(count(23)).padStart(2, "0")}:30:00`,
    status: pick(random, ["paid", "open", "cancelled", null]),
    amount: count(100),
    discount: count(5),
  }));
  const items = orders.flatMap(({ id }) =>
    Array.from({ length: count(3) }, (_, line) => ({
      order_id: id,
      line,
      product: pick(random, ["Tea", "Coffee", "Cake"]),
      quantity: 1 + count(4),
    })),
  );
  const refunds = Array.from({ length: 12 }, (_, at) => ({
    id: at + 1,
    order_id: 1 + count(39),
    refunded_on: random() < 0.1 ? null : day(count(150)),
    amount: count(50),
  }));
  return { customers, orders, items, refunds };
}

const TABLES: Readonly<Record<keyof ShopRows, string>> = {
  customers: "id INTEGER, region VARCHAR, vip BOOLEAN",
  orders: "id INTEGER, customer_id INTEGER, placed_at TIMESTAMP, status VARCHAR, amount INTEGER, discount INTEGER",
  items: "order_id INTEGER, line INTEGER, product VARCHAR, quantity INTEGER",
  refunds: "id INTEGER, order_id INTEGER, refunded_on DATE, amount INTEGER",
};

/** Statements that make the tables anew. */
export function shopStatements(rows: ShopRows): readonly string[] {
  return Object.entries(TABLES).flatMap(([table, columns]) => {
    const values = rows[table as keyof ShopRows].map((row) => `(${Object.values(row).map(literal).join(", ")})`);
    return [
      `DROP TABLE IF EXISTS ${table}`,
      `CREATE TABLE ${table} (${columns})`,
      ...(values.length > 0 ? [`INSERT INTO ${table} VALUES ${values.join(", ")}`] : []),
    ];
  });
}

function literal(value: string | number | boolean | null): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? `'${value}'` : String(value);
}
