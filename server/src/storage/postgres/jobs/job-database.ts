import type { ConstructorOptions, Db } from "pg-boss";
import type { Connections } from "../connections.ts";

/** Options of an instance of pg-boss that does nothing by itself. */
export const QUIET = {
  supervise: false,
  schedule: false,
  registerInstance: false,
  openTelemetry: { enabled: false },
} satisfies ConstructorOptions;

/** Runs the statements of pg-boss over the connections of the server. `settle`: turns what fails into the error for callers. */
export function jobDatabase(
  connections: Pick<Connections, "query">,
  { passed = () => {}, refusal = (error: unknown) => error }: Partial<Reports> = {},
): Db {
  return {
    executeSql: async (sql, parameters = []) => {
      try {
        const result = await connections.query({ sql, parameters });
        passed();
        return result;
      } catch (error) {
        throw refusal(error);
      }
    },
  };
}

interface Reports {
  passed(): void;
  refusal(error: unknown): unknown;
}
