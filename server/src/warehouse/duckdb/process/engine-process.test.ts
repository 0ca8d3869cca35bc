import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { QueryLimits, SqlSource, Warehouse } from "../../contract.ts";
import { createWarehouse } from "../../create-warehouse.ts";

const LIMITS = { maxRows: 100, maxBytes: 100_000, timeoutMs: 20_000 };
const { signal } = new AbortController();

describe("the engine process (CA-33)", () => {
  const folder = mkdtempSync(join(tmpdir(), "engine-process-"));
  const warnings: unknown[] = [];
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    writeFileSync(join(folder, "visits.csv"), "day,visitors\n2026-06-29,12\n2026-06-30,30\n");
    warehouse = createWarehouse(
      {
        sources: [{ name: ["acme", "web", "visits"], path: join(folder, "visits.csv") }],
        memory: "128MB",
        spillDir: join(folder, "spill"),
      },
      { logger: { warn: (...told: unknown[]) => void warnings.push(told) } },
    );
    const table = { projectId: "acme", datasetId: "web", tableId: "visits" };
    const opened = await warehouse.open(
      create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences: [table] } } }),
    );
    source = opened as SqlSource;
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  const ask = (sql: string, limits: Partial<QueryLimits> = {}) =>
    source.query({ sql, limits: { ...LIMITS, ...limits }, signal });
  const visitors = async () => (await ask("SELECT sum(visitors) FROM visits")).rows;

  for (const [what, sql] of [
    ["a long text", "SELECT repeat('x', 2000000000) FROM visits"],
    ["a list of all rows", "SELECT list(x) FROM range(300000000) r(x)"],
    ["thousands of columns", `SELECT ${numbers(9_000, (n) => `visitors AS c${n}`, ", ")} FROM visits`],
  ] as const) {
    it(`keeps to its memory: ${what} is an error that says so, and the next question is answered`, async () => {
      await assert.rejects(ask(sql), { kind: "too-expensive", message: /needs more memory/ });
      assert.deepEqual(await visitors(), [["42"]]);
    });
  }

  it("is started again when it is killed, and the questions that it worked on get their answers", async () => {
    const [pid = 0, other] = enginesOf(process.pid);
    assert.ok(pid > 0 && other === undefined);
    const answers = Promise.all([visitors(), visitors()]);
    process.kill(pid, "SIGKILL");
    assert.deepEqual(await answers, [[["42"]], [["42"]]]);
    assert.match(JSON.stringify(warnings), /the engine process ended: SIGKILL/);
    assert.deepEqual(await visitors(), [["42"]]);
    assert.ok(!enginesOf(process.pid).includes(pid));
  });

  it("has no environment variable of the server but the folder of compiled code, and its number of threads", () => {
    const [pid = 0] = enginesOf(process.pid);
    const names = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    const allowed = /^(UV_THREADPOOL_SIZE=8$|NODE_COMPILE_CACHE|NODE_CHANNEL_|PWD|OLDPWD|SHLVL|_)/;
    assert.deepEqual(
      names.filter((entry) => !allowed.test(entry)),
      [],
    );
  });

  it("calls a row that is larger than an answer may be by its name, and not nothing found", async () => {
    await assert.rejects(ask("SELECT repeat('x', 5000) FROM visits", { maxBytes: 1_000 }), {
      kind: "failed",
      message: "One row has more than 1000 bytes; select fewer or shorter columns.",
    });
  });
});

function numbers(count: number, text: (number: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, at) => text(at)).join(separator);
}

/** The ids of the engine processes that a process has started. */
function enginesOf(parent: number): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const [, ppid] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8")) ?? [];
      const isEngine = readFileSync(`/proc/${name}/cmdline`, "utf8").match(/duckdb\/process\/program\.[jt]s/) !== null;
      return Number(ppid) === parent && isEngine ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
