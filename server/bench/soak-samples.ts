import type pg from "pg";
import { guestMemory, guestProcesses } from "./guest-memory.ts";
import { type Running, residentMegabytes } from "./processes.ts";

/** A table of the database at a moment, as PostgreSQL counts. */
export interface TableSample {
  /** With its indexes and its large values. */
  readonly bytes: number;
  readonly liveRows: number;
  /** Rows that a vacuum has still to remove. */
  readonly deadRows: number;
  /** How often autovacuum has come by. */
  readonly autovacuums: number;
}

/** A server and its database at a moment. */
export interface SoakSample {
  /** Since the load began. */
  readonly minute: number;
  /** Resident memory of the server, megabytes. */
  readonly serverMb: number;
  /** Memory of its guests, pages that they share divided among them, megabytes. */
  readonly guestsMb: number;
  readonly tables: Readonly<Record<string, TableSample>>;
}

/** Reads everything. `minute`: since the load began. */
export async function takeSample(minute: number, server: Running, database: pg.Client): Promise<SoakSample> {
  const { rows } = await database.query(TABLES);
  const tables = rows.map(({ name, bytes, live, dead, vacuums }): [string, TableSample] => [
    name,
    { bytes: Number(bytes), liveRows: Number(live), deadRows: Number(dead), autovacuums: Number(vacuums) },
  ]);
  return {
    minute,
    serverMb: residentMegabytes(server),
    guestsMb: guestsOf(server).reduce((sum, guest) => sum + guestMemory(guest).proportional, 0) / 2 ** 20,
    tables: Object.fromEntries(tables),
  };
}

const TABLES = `
select relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as live, n_dead_tup as dead, autovacuum_count as vacuums
from pg_stat_user_tables order by relname`;

function guestsOf({ child }: Running): readonly number[] {
  return child.pid === undefined ? [] : guestProcesses(child.pid);
}
