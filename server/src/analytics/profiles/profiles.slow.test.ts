import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { systemClock } from "#base";
import type { ResourceRow } from "#storage";
import { createWarehouse, QueryError, type SqlSource, type Warehouse } from "#warehouse";
import { createProfiles, type Profiles } from "./profiles.ts";

const FILES = 8;
const COLUMNS = 30;
const ROWS = 1_000;
const READING = { viewer: "", maxScannedBytes: 1e9, signal: new AbortController().signal };
const LONG_MS = 120_000;

describe("profiles of tables (CA-34)", () => {
  const folder = mkdtempSync(join(tmpdir(), "profiles-"));
  const stored = new Map<string, ResourceRow>();
  const rows = {
    getMany: async (names: readonly string[]) =>
      new Map(names.flatMap((name) => (stored.has(name) ? [[name, stored.get(name) as ResourceRow] as const] : []))),
    write: async (writes: readonly unknown[]) => {
      for (const { row } of writes as readonly { readonly row: ResourceRow }[]) stored.set(row.name, row);
    },
  };
  const faults: unknown[] = [];
  const logger = { error: (...told: unknown[]) => void faults.push(told) };
  let warehouse: Warehouse;
  let source: SqlSource;
  let reads = 0;

  before(async () => {
    for (let at = 0; at < FILES; at++) writeFileSync(join(folder, `t${at}.csv`), wideTable(at));
    warehouse = createWarehouse({
      sources: [{ name: ["acme", "wide"], path: folder }],
      memory: "256MB",
      spillDir: join(folder, ".spill"),
    });
    const tableReferences = Array.from({ length: FILES }, (_, at) => ({
      projectId: "acme",
      datasetId: "wide",
      tableId: `t${at}`,
    }));
    const opened = (await warehouse.open(
      create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } }),
    )) as SqlSource;
    source = {
      ...opened,
      distinctValues: (...args) => {
        reads++;
        return opened.distinctValues(...args);
      },
    };
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  const open = (waitMs = LONG_MS): Profiles => createProfiles({ rows, clock: systemClock, logger, waitMs });
  const ask = async (profiles: Profiles) => profiles.get(source, await source.describe(READING.signal), READING);

  it("reads the values of many wide tables in little memory, and leaves out columns that have too many", async () => {
    const profiles = open();
    const known = await ask(profiles);
    assert.equal(known.complete, true);
    for (let at = 0; at < FILES; at++) {
      const profile = known.of(["acme", "wide", `t${at}`]);
      assert.deepEqual(Object.keys(profile?.values ?? {}), ["c0"]);
      assert.equal(profile?.values.c0?.length, 7);
      assert.equal(profile?.indexed.c2?.length, ROWS);
      assert.deepEqual(profile?.ranges, { c1: { first: "2026-01-01", last: "2026-01-28" } });
    }
    assert.equal(reads, FILES);
    await profiles.close();
  });

  it("keeps them across restarts, and reads only the table again whose file has changed", async () => {
    reads = 0;
    utimesSync(join(folder, "t3.csv"), new Date(), new Date("2026-07-01T00:00:00Z"));
    const profiles = open();
    const known = await ask(profiles);
    assert.equal(known.complete, true);
    assert.equal(reads, 1);
    const named = known.valuesIn("rows with Text 4 17 2, please");
    assert.deepEqual(named, [{ table: ["acme", "wide", "t4"], column: "c4", value: "text 4 17 2" }]);
    await profiles.close();
  });

  it("answers with what is known by then, and goes on in the background", async () => {
    stored.clear();
    reads = 0;
    const profiles = open(0);
    assert.equal((await ask(profiles)).complete, false);
    while (!(await ask(profiles)).complete);
    assert.equal(reads, FILES);
    await profiles.close();
  });

  it("never fails a question: what cannot be read is not known", async () => {
    stored.clear();
    const broken = {
      ...source,
      query: async () => {
        throw new QueryError("failed", "no");
      },
    };
    const profiles = open();
    const known = await profiles.get(broken, await source.describe(READING.signal), READING);
    assert.deepEqual(known.of(["acme", "wide", "t0"]), { values: {}, keys: [], flags: [], ranges: {}, indexed: {} });
    assert.deepEqual(faults, []);
    await profiles.close();
  });
});

/** Column 0 has a city a row, column 1 a day, and the others a text that no other row has. */
function wideTable(table: number): string {
  const header = Array.from({ length: COLUMNS }, (_, at) => `c${at}`).join(",");
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const cells = Array.from({ length: COLUMNS - 2 }, (_each, at) => `text ${table} ${row} ${at}`);
    return [`city ${row % 7}`, `2026-01-${String((row % 28) + 1).padStart(2, "0")}`, ...cells].join(",");
  });
  return `${header}\n${rows.join("\n")}\n`;
}
