// `npm run bench -- analytics`: the cost of a question to data besides its SQL, without a language model, on the sample shop.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, fromJson } from "@bufbuild/protobuf";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import { DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import { type Message, MessageSchema } from "@frontdesk/protos/gda/data_chat_service";
import { parse } from "yaml";
import { type Analytics, createAnalytics, relevantModel, SCHEMA_TOKENS } from "#analytics";
import { createLogger, definedFields, systemClock, systemIds } from "#base";
import type { Models } from "#models";
import { createBuiltinModel, createRulePlanners } from "#offline";
import type { Sandbox } from "#sandbox";
import { createWarehouse, type SqlSource, type Warehouse, writeSample } from "#warehouse";
import { LARGE_CATALOG_QUESTIONS } from "../test/analytics/large-catalog.ts";
import { startLargeCatalog } from "../test/analytics/start-large-catalog.ts";

const AGENT = join(import.meta.dirname, "../../examples/shop/agent.yaml");
const ROUNDS = 5;
const ROW_COUNT = 1_000_000;

/** Questions as people ask them, none of which is answered by a verified query. */
const QUESTIONS = [
  "How many orders were there last month?",
  "revenue by category",
  "revenue by month in 2026",
  "top 5 products by units sold",
  "share of revenue by store region",
  "revenue growth by quarter",
  "customers who did not order in 2026",
  "orders by weekday",
  "average revenue per customer by segment",
  "top 3 products per category by revenue",
];

/** Measures and prints a line for each thing that is promised of questions to data. */
export async function benchAnalytics(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "shop.duckdb");
  const startedAt = performance.now();
  await writeSample(file, new Date(Date.now() - 86_400_000));
  say(`sample shop    written in ${(performance.now() - startedAt).toFixed(0)} ms`);
  const warehouse = createWarehouse({
    sources: [{ name: ["local", "shop"], path: file, schema: "main" }],
    memory: "512MB",
    spillDir: join(folder, "spill"),
  });
  try {
    const context = shopContext();
    const spent = { sqlMs: 0 };
    const analytics = analyticsOver(timed(warehouse, spent));
    await turns(analytics, context, spent);
    await pictures(analytics, context);
    await manyRows(warehouse, context);
    await retrieval();
  } finally {
    await warehouse.close();
  }
}

function shopContext(): Context {
  const { type } = fromJson(DataAgentSchema, parse(readFileSync(AGENT, "utf8")));
  return create(ContextSchema, type.value?.publishedContext ?? {});
}

function analyticsOver(warehouse: Warehouse): Analytics {
  const logger = createLogger("silent");
  const builtin = createBuiltinModel(); // The rules answer in its place.
  const models: Models = {
    resolve: () => builtin,
    status: () => ({ defaultModel: builtin.label, providers: [] }),
    close: async () => {},
  };
  const sandbox: Pick<Sandbox, "run"> = {
    run: () => Promise.reject(new Error("no program runs in this bench")),
  };
  return createAnalytics({
    models,
    warehouse,
    rules: createRulePlanners(),
    sandbox,
    clock: systemClock,
    ids: systemIds,
    logger,
  });
}

/** The same warehouse; what its engine spends on answers is added up, the gate is not. */
function timed(warehouse: Warehouse, spent: { sqlMs: number }): Warehouse {
  return {
    async open(references, credentials) {
      const source = await warehouse.open(references, credentials);
      if (source.kind !== "sql") return source;
      const own: SqlSource = {
        ...source,
        async query(request) {
          const result = await source.query(request);
          spent.sqlMs += result.durationMs;
          return result;
        },
      };
      return own;
    },
    tables: (anyProject) => warehouse.tables(anyProject),
    databaseOf: (path) => warehouse.databaseOf(path),
    close: () => warehouse.close(),
  };
}

async function turns(analytics: Analytics, context: Context, spent: { sqlMs: number }): Promise<void> {
  const cold = performance.now();
  await ask(analytics, context, QUESTIONS[0] ?? "");
  say(`first question ${(performance.now() - cold).toFixed(0)} ms (schemas and values are read)`);
  const [beside, first, processor]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const question of QUESTIONS) {
      spent.sqlMs = 0;
      const [startedAt, used] = [performance.now(), process.cpuUsage()];
      const { firstMs } = await ask(analytics, context, question);
      beside.push(performance.now() - startedAt - spent.sqlMs);
      const { user, system } = process.cpuUsage(used);
      processor.push((user + system) / 1000);
      first.push(firstMs);
    }
  }
  say(`a turn         ${figures(beside)} beside its SQL (limit 25 ms), processor ${figures(processor)} with it`);
  say(`first message  ${figures(first)} (limit 10 ms)`);
}

async function pictures(analytics: Analytics, context: Context): Promise<void> {
  const question = "revenue by month in 2026";
  await ask(analytics, context, question, "png");
  const [plain, drawn]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS * 2; round++) {
    plain.push((await ask(analytics, context, question)).processorMs);
    drawn.push((await ask(analytics, context, question, "png")).processorMs);
  }
  const picture = drawn.map((ms, at) => ms - (plain[at] ?? 0));
  say(`chart as PNG   ${figures(picture)} of the processor (limit 150 ms)`);
}

/** A statement with a million rows is read to the limits of the API: a hundred thousand rows, three megabytes. */
async function manyRows(warehouse: Warehouse, context: Context): Promise<void> {
  if (!context.datasourceReferences) return;
  const source = await warehouse.open(context.datasourceReferences);
  if (source.kind !== "sql") return;
  const sql = `SELECT i AS n, 'a text of some letters ' || i AS t FROM range(${ROW_COUNT}) r(i)`;
  const limits = { maxRows: 100_000, maxBytes: 3_000_000, timeoutMs: 60_000 };
  const { signal } = new AbortController();
  global.gc?.();
  const before = process.memoryUsage().rss;
  const startedAt = performance.now();
  const { rows, truncated } = await source.query({ sql, limits, signal });
  const megabytes = (process.memoryUsage().rss - before) / 1_048_576;
  say(
    `${ROW_COUNT.toLocaleString("en-US")} rows, limited to ${rows.length.toLocaleString("en-US")} (cut: ${truncated}) in ${(performance.now() - startedAt).toFixed(0)} ms, ${megabytes.toFixed(0)} MB more resident`,
  );
}

/** What a question needs of 2,000 tables with 50,000 columns is chosen; the first question also builds the index of words. */
async function retrieval(): Promise<void> {
  const catalog = await startLargeCatalog();
  try {
    const columns = catalog.model.tables.reduce((sum, table) => sum + table.columns.length, 0);
    const times: number[] = [];
    let found = 0;
    for (const [question, tables] of LARGE_CATALOG_QUESTIONS) {
      const startedAt = performance.now();
      const chosen = relevantModel(catalog.model, { question, earlier: [], statements: [] });
      times.push(performance.now() - startedAt);
      const names = new Set(chosen.tables.map(({ schema }) => schema.path.slice(1).join(".")));
      if (tables.split(" ").every((table) => names.has(table))) found++;
    }
    const [first = 0, ...rest] = times;
    say(
      `retrieval      ${catalog.model.tables.length} tables, ${columns} columns: ${found} of ${times.length} questions have their tables within ${SCHEMA_TOKENS} tokens`,
    );
    say(
      `               first ${first.toFixed(0)} ms, then ${figures(rest)}, most ${Math.max(...rest).toFixed(0)} ms (limit 50 ms)`,
    );
  } finally {
    await catalog.close();
  }
}

async function ask(analytics: Analytics, context: Context, question: string, image?: "png") {
  const messages: Message[] = [
    create(MessageSchema, { kind: { case: "userMessage", value: { kind: { case: "text", value: question } } } }),
  ];
  const { signal } = new AbortController();
  const [startedAt, used] = [performance.now(), process.cpuUsage()];
  let firstMs: number | undefined;
  let answered = false;
  for await (const { kind } of analytics.chat({
    messages,
    context,
    mode: "thinking",
    signal,
    ...definedFields({ image }),
  })) {
    firstMs ??= performance.now() - startedAt;
    answered ||=
      kind.case === "systemMessage" && kind.value.kind.case === "data" && kind.value.kind.value.kind.case === "result";
  }
  if (!answered) throw new Error(`'${question}' found no rows`);
  const { user, system } = process.cpuUsage(used);
  return { firstMs: firstMs ?? 0, processorMs: (user + system) / 1000 };
}

function figures(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
