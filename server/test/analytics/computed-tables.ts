/** A table for every engine: names of types that all of them have, and rows as literals. */
export interface WrittenTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

export const DAY = 86_400_000;

/** Numbers that are the same in each run. */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

export const day = (at: number) => new Date(at).toISOString().slice(0, 10);
export const time = (at: number) => new Date(at).toISOString().slice(0, 19).replace("T", " ");

function retail(): readonly WrittenTable[] {
  const next = chance(7);
  const cities = ["Leeds", "York", "Dublin", "Cork"];
  const customers = Array.from({ length: 40 }, (_, at) => [
    at + 1,
    `Customer ${at + 1}`,
    cities[next(4)] ?? null,
    at % 13 === 0 ? null : day(Date.UTC(1950 + next(55), next(12), 1 + next(28))),
  ]);
  const names = ["Desk", "Chair", "Lamp", "Shelf", "Sofa", "Rug"];
  const products = names.map((name, at) => [at + 1, name, at < 3 ? "Office" : "Home"]);
  const orders = Array.from({ length: 300 }, (_, at) => {
    const placed = Date.UTC(2025, 6, 1) + next(365) * DAY + next(86_400) * 1000;
    const [ships, arrives] = [next(10) > 0, next(10) > 1];
    const shipped = placed + next(5 * 86_400) * 1000;
    const delivered = shipped + 3600_000 + next(7 * 86_400) * 1000;
    const isCancelled = next(20) === 0;
    return [
      at + 1,
      1 + next(36),
      time(placed),
      isCancelled || !ships ? null : time(shipped),
      isCancelled || !ships || !arrives ? null : time(delivered),
      day(placed + 6 * DAY),
      isCancelled ? "Cancelled" : !ships ? "New" : !arrives ? "Shipped" : "Delivered",
      ["Web", "Store", "Phone"][next(3)] ?? null,
    ];
  });
  const items = orders.flatMap(([order = 0], at) =>
    Array.from({ length: 1 + (at % 3) }, (_, line) => [
      at * 3 + line + 1,
      order,
      1 + ((at + line) % 6),
      1 + next(5),
      10 + next(9000) / 100,
    ]),
  );
  return [
    {
      name: "customers",
      columns: ["customer_id INTEGER PRIMARY KEY", "name VARCHAR(40)", "city VARCHAR(20)", "birth_date DATE"],
      rows: customers,
    },
    {
      name: "products",
      columns: ["product_id INTEGER PRIMARY KEY", "name VARCHAR(40)", "category VARCHAR(20)"],
      rows: products,
    },
    {
      name: "orders",
      columns: [
        "order_id INTEGER PRIMARY KEY",
        "customer_id INTEGER",
        "ordered_at TIMESTAMP NULL",
        "shipped_at TIMESTAMP NULL",
        "delivered_at TIMESTAMP NULL",
        "promised_date DATE",
        "status VARCHAR(20)",
        "channel VARCHAR(20)",
        "FOREIGN KEY (customer_id) REFERENCES customers (customer_id)",
      ],
      rows: orders,
    },
    {
      name: "order_items",
      columns: [
        "item_id INTEGER PRIMARY KEY",
        "order_id INTEGER",
        "product_id INTEGER",
        "quantity INTEGER",
        "unit_price DECIMAL(10, 2)",
        "FOREIGN KEY (order_id) REFERENCES orders (order_id)",
        "FOREIGN KEY (product_id) REFERENCES products (product_id)",
      ],
      rows: items,
    },
  ];
}

function billing(): readonly WrittenTable[] {
  const next = chance(11);
  const clients = ["Alpha", "Borealis", "Cobalt", "Delta"].map((name, at) => [
    at + 1,
    name,
    at < 2 ? "North" : "South",
  ]);
  const invoices = Array.from({ length: 160 }, (_, at) => {
    const issued = Date.UTC(2026, 0, 1) + next(175) * DAY;
    const isPaid = next(4) > 0;
    return [
      1000 + at,
      1 + next(4),
      day(issued),
      day(issued + 30 * DAY),
      isPaid ? day(issued + (5 + next(50)) * DAY) : null,
      100 + next(90_000) / 100,
      next(3) === 0 ? "USD" : "EUR",
    ];
  });
  return [
    {
      name: "clients",
      columns: ["client_id INTEGER PRIMARY KEY", "name VARCHAR(40)", "region VARCHAR(20)"],
      rows: clients,
    },
    {
      name: "invoices",
      columns: [
        "invoice_no INTEGER PRIMARY KEY",
        "client_id INTEGER",
        "issue_date DATE",
        "due_date DATE",
        "paid_date DATE",
        "amount DECIMAL(10, 2)",
        "currency VARCHAR(3)",
        "FOREIGN KEY (client_id) REFERENCES clients (client_id)",
      ],
      rows: invoices,
    },
  ];
}

function clinic(): readonly WrittenTable[] {
  const next = chance(13);
  const patients = Array.from({ length: 60 }, (_, at) => [
    at + 1,
    `Patient ${at + 1}`,
    at % 2 === 0 ? "F" : "M",
    day(Date.UTC(1935 + next(80), next(12), 1 + next(28))),
  ]);
  const admissions = Array.from({ length: 200 }, (_, at) => {
    const admitted = Date.UTC(2025, 0, 1) + next(540) * DAY;
    return [
      at + 1,
      1 + next(60),
      ["Surgery", "Cardiology", "Maternity"][next(3)] ?? null,
      day(admitted),
      next(8) === 0 ? null : day(admitted + next(20) * DAY),
    ];
  });
  return [
    {
      name: "patients",
      columns: ["patient_id INTEGER PRIMARY KEY", "full_name VARCHAR(40)", "sex VARCHAR(1)", "date_of_birth DATE"],
      rows: patients,
    },
    {
      name: "admissions",
      columns: [
        "admission_id INTEGER PRIMARY KEY",
        "patient_id INTEGER",
        "ward VARCHAR(20)",
        "admitted_on DATE",
        "discharged_on DATE",
        "FOREIGN KEY (patient_id) REFERENCES patients (patient_id)",
      ],
      rows: admissions,
    },
  ];
}

function support(): readonly WrittenTable[] {
  const next = chance(17);
  const tickets = Array.from({ length: 250 }, (_, at) => {
    const created = Date.UTC(2026, 0, 1) + next(180 * 86_400) * 1000;
    const responded = created + 60_000 + next(86_400) * 1000;
    const isResolved = next(5) > 0;
    return [
      at + 1,
      ["Ann", "Bob", "Cem"][next(3)] ?? null,
      ["low", "high", "urgent"][next(3)] ?? null,
      time(created),
      time(responded),
      isResolved ? time(responded + next(5 * 86_400) * 1000) : null,
      next(4) === 0,
    ];
  });
  return [
    {
      name: "tickets",
      columns: [
        "ticket_id INTEGER PRIMARY KEY",
        "agent VARCHAR(20)",
        "priority VARCHAR(20)",
        "created_at TIMESTAMP NULL",
        "first_response_at TIMESTAMP NULL",
        "resolved_at TIMESTAMP NULL",
        "is_escalated BOOLEAN",
      ],
      rows: tickets,
    },
  ];
}

/** Four sets of tables in which what is asked for follows from columns, and is none of them. */
export const COMPUTED_TABLES: Readonly<Record<string, readonly WrittenTable[]>> = {
  retail: retail(),
  billing: billing(),
  clinic: clinic(),
  support: support(),
};

/** The day after the last row. */
export const COMPUTED_NOW = new Date("2026-07-01T09:00:00Z");

/** Statements that make the tables of a set, in the order of their keys. */
export function statementsOf(tables: readonly WrittenTable[]): readonly string[] {
  return tables.flatMap(({ name, columns, rows }) => [
    `CREATE TABLE ${name} (${columns.join(", ")})`,
    `INSERT INTO ${name} VALUES ${rows.map((row) => `(${row.map(literal).join(", ")})`).join(", ")}`,
  ]);
}

function literal(value: string | number | boolean | null): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? `'${value}'` : String(value);
}
