import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

interface FakeLookerCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A Looker instance on loopback: API 4.0 as far as questions need it, over canned rows. A fake; no LookML runs. */
export interface FakeLooker extends AsyncDisposable {
  readonly origin: string;
  readonly calls: FakeLookerCall[];
}

const MONEY = "$#,##0.00";

const dimension = (name: string, label: string, view: string, more: object = {}) => ({
  ...{ name, label: `${view} ${label}`, label_short: label, view_label: view, type: "string", hidden: false },
  ...more,
});
const measure = (name: string, label: string, view: string, type: string, more: object = {}) =>
  dimension(name, label, view, { type, is_numeric: true, ...more });

const EXPLORE = {
  id: "shop::orders",
  name: "orders",
  model_name: "shop",
  label: "Orders",
  description: "Every order of the shop.",
  always_filter: [{ name: "orders.is_test", value: "No" }],
  fields: {
    dimensions: [
      dimension("orders.region", "Region", "Orders", { suggestions: ["North", "South", "Far West"] }),
      dimension("orders.created_month", "Created Month", "Orders", { type: "date_month" }),
      dimension("orders.is_test", "Is Test", "Orders", { type: "yesno" }),
      dimension("users.name", "Name", "Users"),
      dimension("products.name", "Name", "Products"),
      dimension("orders.secret", "Secret", "Orders", { hidden: true }),
    ],
    measures: [
      measure("orders.count", "Count", "Orders", "count"),
      measure("orders.revenue", "Total Revenue", "Orders", "sum", { value_format: MONEY }),
    ],
  },
};

/** Rows by region, largest first; a query's filter and limit hold. */
const REGIONS = [
  { region: "North", revenue: 1500.5, formatted: "$1,500.50", count: 7 },
  { region: "South", revenue: 900, formatted: "$900.00", count: 4 },
  { region: "Far West", revenue: 120.25, formatted: "$120.25", count: 1 },
];

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const said = (status: number, message: string, more: object = {}): Reply => ({
  status,
  body: { message, documentation_url: "https://cloud.google.com/looker/docs/", ...more },
});

/** Starts the fake. Its one key is `id` with `secret`, which gives the token `looker-token`. */
export async function startFakeLooker(): Promise<FakeLooker> {
  const calls: FakeLookerCall[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const call = {
      path: incoming.url ?? "",
      authorization: incoming.headers.authorization,
      body: await read(incoming),
    };
    calls.push(call);
    const { status, body } = answer(call);
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function answer({ path, authorization, body }: FakeLookerCall): Reply {
  if (path === "/api/4.0/login") {
    const key = new URLSearchParams(body);
    if (key.get("client_id") !== "id" || key.get("client_secret") !== "secret") return said(404, "Not found");
    return { status: 200, body: { access_token: "looker-token", token_type: "Bearer", expires_in: 3600 } };
  }
  if (authorization !== "Bearer looker-token") return said(401, "Requires authentication.");
  if (path === "/api/4.0/lookml_models/shop/explores/orders") return { status: 200, body: EXPLORE };
  if (path === "/api/4.0/lookml_models/shop/explores/payroll") return said(403, "Forbidden");
  if (path === "/api/4.0/queries") return { status: 200, body: { ...JSON.parse(body), id: "42", client_id: "AbC123" } };
  const run = /^\/api\/4\.0\/queries\/run\/json\?apply_formatting=(true|false)$/.exec(path);
  return run ? runQuery(JSON.parse(body), run[1] === "true") : said(404, "Not found");
}

interface WireQuery {
  readonly fields: readonly string[];
  readonly filters: Readonly<Record<string, string>>;
  readonly limit: string;
}

function runQuery({ fields, filters, limit }: WireQuery, formatted: boolean): Reply {
  if (fields.includes("products.name")) {
    const errors = [{ field: "fields", code: "invalid", message: "products is not joined" }];
    return said(422, "Validation Failed", { errors });
  }
  if (fields.includes("users.name")) return { status: 200, body: [{ looker_error: "relation users does not exist" }] };
  const wanted = filters["orders.region"];
  const rows = REGIONS.filter(({ region }) => wanted === undefined || region === wanted).map((row) => ({
    "orders.region": row.region,
    "orders.revenue": formatted ? row.formatted : row.revenue,
    "orders.count": formatted ? String(row.count) : row.count,
    "orders.created_month": null,
  }));
  const grouped = fields.includes("orders.region") ? rows : rows.slice(0, 1);
  const cut = grouped.slice(0, Number(limit));
  return { status: 200, body: cut.map((row) => Object.fromEntries(fields.map((name) => [name, cellOf(row, name)]))) };
}

function cellOf(row: object, name: string): unknown {
  return Object.entries(row).find(([key]) => key === name)?.[1] ?? null;
}
