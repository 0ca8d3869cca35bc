import type { Column } from "../contract.ts";
import { collectRows } from "../remote/collect-rows.ts";
import type { StatementClient } from "../remote/statement-client.ts";
import type { SqlServerAddress } from "./connection-options.ts";
import { createSqlServerPool } from "./connection-pool.ts";
import { toCell, toColumn } from "./wire-types.ts";

/** Statements to one database. Nothing that one does stays: its transaction is taken back. */
interface SqlServerClient extends StatementClient {
  /** The lines of the plan of a statement, which is not run. */
  plan(sql: string, timeoutMs: number, signal: AbortSignal): Promise<readonly string[]>;
}

/** Ends a session, whatever a statement did in it. */
const END = "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; SET ROWCOUNT 0";

/** Runs statements in transactions that are rolled back, so that none changes anything. */
export function createSqlServerClient(address: () => SqlServerAddress): SqlServerClient {
  const pool = createSqlServerPool(address);
  return {
    query: (sql, limits, signal) =>
      pool.session({ timeoutMs: limits.timeoutMs, signal }, async (run) => {
        await run(`SET LOCK_TIMEOUT 2000; SET ROWCOUNT ${limits.maxRows + 1}; BEGIN TRANSACTION`);
        const collector = collectRows(limits);
        let columns: readonly Column[] = [];
        await run(sql, {
          columns(found) {
            columns = found.map(toColumn);
          },
          row(cells) {
            collector.add(cells.map(({ value, metadata }) => toCell(value, metadata)));
            return !collector.truncated;
          },
        });
        if (!collector.truncated) await run(END);
        return { columns, rows: collector.rows, truncated: collector.truncated };
      }),
    plan: (sql, timeoutMs, signal) =>
      pool.session({ timeoutMs, signal }, async (run) => {
        const results: string[][] = [];
        await run("SET SHOWPLAN_TEXT ON");
        await run(sql, {
          columns: () => void results.push([]),
          row: ([line]) => {
            results.at(-1)?.push(String(line?.value));
            return true;
          },
        });
        await run("SET SHOWPLAN_TEXT OFF");
        // The first result is the statement itself.
        return results.slice(1).flat();
      }),
    close: () => pool.close(),
  };
}
