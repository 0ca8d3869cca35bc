import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { readConfig } from "../config.ts";

const folder = mkdtempSync(join(tmpdir(), "data-sections-"));
after(() => rmSync(folder, { recursive: true }));

function read(text: string, environment: NodeJS.ProcessEnv = {}) {
  const file = join(folder, "config.yaml");
  writeFileSync(file, text);
  return readConfig(["--config", file, "--data", folder], environment);
}

describe("the section analytics", () => {
  const section = "analytics: { semanticModels: { sales: ./sales.model.yaml } }";

  it("reads the models of data agents, relative to its file", () => {
    writeFileSync(join(folder, "sales.model.yaml"), "name: sales\ndatasets: [{ name: orders, table: orders }]\n");
    assert.equal(read(section).analytics.definedModels.get("sales")?.name, "sales");
    assert.equal(read("{}").analytics.definedModels.size, 0);
  });

  it("reads budgets in bytes and in money, of which the smaller holds", () => {
    const budgets = "budgets: { sales: { bytes: 2GiB }, '*': { bytes: 1PB, cost: 2 } }";
    const { byAgent } = read(`analytics: { price: { perTiB: 4, currency: USD }, ${budgets} }`).analytics.budgets;
    assert.deepEqual(
      [...byAgent.values()],
      [
        { name: "analytics.budgets.sales", bytes: 2 * 1024 ** 3 },
        { name: "analytics.budgets.*", bytes: 1024 ** 4 / 2 },
      ],
    );
    assert.throws(() => read(`analytics: { ${budgets} }`), /budgets\.\*: a cost needs analytics\.price/);
  });

  it("reads rules of rows and columns, and says which one has a fault (CA-49)", () => {
    const rule = (more: string) => read(`analytics: { rules: [{ table: a.b.c, ${more} }] }`).analytics.rules;
    assert.deepEqual(rule("members: ['user:Ann@example.com'], rows: x = @email, hiddenColumns: [y]"), [
      {
        name: "analytics.rules[0]",
        table: ["a", "b", "c"],
        members: ["user:ann@example.com"],
        rows: { kind: "compare", column: "x", operator: "=", value: { kind: "email" } },
        hiddenColumns: ["y"],
      },
    ]);
    assert.throws(() => rule("members: [ann]"), /rules\[0\]\.members: 'ann' is no member/);
    assert.throws(() => rule("members: [allUsers], rows: x ="), /rules\[0\]\.rows: its end is where/);
  });

  it("reads how long results are kept, and keeps none by default (CA-54)", () => {
    assert.deepEqual(read("analytics: { cache: { maxAge: 30, size: 1MiB } }").analytics.cache, {
      maxAgeMs: 30_000,
      maxBytes: 1_048_576,
      maxEntries: 1_000,
    });
    assert.equal(read("{}").analytics.cache, undefined);
    assert.throws(() => read("analytics: { cache: {} }"), /analytics\.cache\.maxAge/);
  });

  it("refuses a model that is missing or has faults, with all of them", () => {
    assert.throws(
      () => read(section.replace("sales.model", "other")),
      /semanticModels\.sales: .*other\.yaml cannot be read/,
    );
    writeFileSync(
      join(folder, "sales.model.yaml"),
      "name: sales\ndatasets: [{ name: orders, tabel: orders }]\nmetrics: 1\n",
    );
    assert.throws(
      () => read(section),
      /model\.yaml:2: datasets\.0: Unrecognized key: "tabel"[\s\S]*model\.yaml:3: metrics/,
    );
  });
});

describe("the section warehouse", () => {
  it("maps names of one to three parts to absolute paths", () => {
    for (const name of ["a.duckdb", "sales.csv", "jobs.csv"]) writeFileSync(join(folder, name), "");
    const jobs = join(folder, "jobs.csv");
    const { warehouse } = read(
      `warehouse: { memory: 2GB, sources: { acme: ./a.duckdb, acme.sales: ./sales.csv, '*.ops.jobs': { path: ${jobs}, schema: s } } }`,
    );
    assert.deepEqual(warehouse, {
      sources: [
        { name: ["acme"], path: join(folder, "a.duckdb") },
        { name: ["acme", "sales"], path: join(folder, "sales.csv") },
        { name: ["*", "ops", "jobs"], path: jobs, schema: "s" },
      ],
      memory: "2GB",
      spillDir: join(folder, "spill"),
      uploadDir: join(folder, "uploads"),
      connectionHosts: [],
      studio: {},
    });
  });

  it("maps tables of BigQuery, with one access for equal settings", async () => {
    const { warehouse } = read(
      "warehouse: { sources: { a: { bigquery: true }, b: { bigquery: true }, c.d: { bigquery: { project: payer, location: EU, endpoint: 'http://localhost:9050/', accessTokenEnv: BQ } } } }",
      { BQ: "token-1" },
    );
    const [a, b, c] = warehouse.bigquery ?? [];
    assert.deepEqual([a?.name, b?.name, a?.access === b?.access], [["a"], ["b"], true]);
    const { accessToken, ...access } = c?.access ?? {};
    assert.deepEqual(
      [c?.name, access],
      [["c", "d"], { project: "payer", location: "EU", endpoint: "http://localhost:9050" }],
    );
    assert.equal(await accessToken?.(), "token-1");
    const unset = read("warehouse: { sources: { a: { bigquery: { accessTokenEnv: BQ } } } }").warehouse.bigquery ?? [];
    await assert.rejects(async () => unset[0]?.access.accessToken(), /warehouse\.sources\.a: the variable BQ/);
    assert.throws(() => read("warehouse: { sources: { a: { bigquery: false } } }"), /warehouse\.sources\.a/);
  });

  it("is empty by default", () => {
    assert.deepEqual(read("{}").warehouse, {
      sources: [],
      memory: "1GB",
      spillDir: join(folder, "spill"),
      uploadDir: join(folder, "uploads"),
      connectionHosts: [],
      studio: {},
    });
  });

  it("rejects invalid names and sizes", () => {
    assert.throws(
      () => read("warehouse: { sources: { a.b.c.d: ./x } }"),
      /warehouse\.sources.*project\.dataset\.table/s,
    );
    assert.throws(() => read("warehouse: { memory: much }"), /warehouse\.memory.*2GB/);
  });
});

describe("the section identities", () => {
  const SECTION =
    "identities: [{ principal: 'user:ana@example.com', tokenEnv: ANA, roles: [roles/geminidataanalytics.admin] }]";

  it("reads tokens from the environment", () => {
    const token = "0123456789abcdef";
    assert.deepEqual(read(SECTION, { ANA: token }).identities, [
      { principal: "user:ana@example.com", token, roles: ["roles/geminidataanalytics.admin"] },
    ]);
  });

  it("rejects missing and short tokens without showing them, and unknown roles", () => {
    assert.throws(
      () => read(SECTION),
      /ANA must hold the bearer token of user:ana@example\.com, at least 16 characters/,
    );
    assert.throws(
      () => read(SECTION, { ANA: "tiny-secret" }),
      (error: Error) => !error.message.includes("tiny-secret"),
    );
    assert.throws(() => read("identities: [{ principal: ana, tokenEnv: A }]"), /user:ana@example\.com/);
    assert.throws(
      () => read("identities: [{ principal: 'user:a', tokenEnv: A, roles: [boss] }]"),
      /'boss' must be one of roles\/owner, .*roles\/geminidataanalytics\.admin/,
    );
  });
});
