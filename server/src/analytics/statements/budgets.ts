import { QueryError, type SqlSource } from "#warehouse";

/** What a query of a data agent may read. */
interface Budget {
  /** The setting, for refusals. */
  readonly name: string;
  readonly bytes: number;
}

/** Budgets of data agents by their resource names or ids; `*`: of all others, and of questions without an agent. */
export interface Budgets {
  readonly byAgent: ReadonlyMap<string, Budget>;
  /** What reading a TiB costs. Default: nobody said. */
  readonly price?: Price;
}

interface Price {
  readonly perTiB: number;
  /** As shown behind an amount, e.g. `USD`. */
  readonly currency: string;
}

/** Finds the budget of an agent. */
function budgetOf({ byAgent }: Budgets, agent: string | undefined): Budget | undefined {
  const own = agent === undefined ? undefined : (byAgent.get(agent) ?? byAgent.get(agent.split("/").at(-1) ?? ""));
  return own ?? byAgent.get("*");
}

/**
 * The source, which ends or refuses queries that read more than the budget (CA-43): before they run where the engine tells how much that is (BigQuery, Snowflake), in the engine
 * where it keeps a limit (ClickHouse, Trino). Other engines read their own disks.
 */
export function withBudget(source: SqlSource, budgets: Budgets, agent: string | undefined): SqlSource {
  const budget = budgetOf(budgets, agent);
  if (!budget) return source;
  return {
    ...source,
    async query(request) {
      const asked = request.limits.maxScannedBytes;
      if (asked !== undefined && asked <= budget.bytes) return source.query(request);
      const limits = { ...request.limits, maxScannedBytes: budget.bytes };
      try {
        return await source.query({ ...request, limits });
      } catch (error) {
        if (!(error instanceof QueryError) || error.kind !== "too-expensive") throw error;
        const { scannedBytes } = await source.explain({ ...request, limits });
        throw new QueryError("too-expensive", refusal(budget, scannedBytes, budgets.price), error);
      }
    },
  };
}

function refusal({ name, bytes }: Budget, scannedBytes: number | undefined, price: Price | undefined): string {
  const wanted = scannedBytes === undefined ? "more than that" : amount(scannedBytes, price);
  return `${name} allows a query to read ${amount(bytes, price)}, and this one would read ${wanted}. Ask for a shorter period or for fewer columns.`;
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;
const TIB = 1024 ** 4;

function amount(bytes: number, price: Price | undefined): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const size = `${Number((bytes / 1024 ** power).toPrecision(3))} ${UNITS[power]}`;
  return price ? `${size} (${Number(((bytes / TIB) * price.perTiB).toPrecision(2))} ${price.currency})` : size;
}
