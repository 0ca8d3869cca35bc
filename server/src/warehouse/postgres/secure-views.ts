import { failedPrecondition, invalidArgument } from "#status";
import type { Execute } from "./connection-pool.ts";
import type { ScopedTable } from "./statement-check/check-statement.ts";

/** Parameters of secure views by name, as the client sent them. */
type ViewParameters = Readonly<Record<string, string>>;

const FIELD = "context.parameterized_secure_view_parameters";

/** Secure views read `current_setting('psv.<name>')`: a setting of the transaction, which a statement can neither read nor set. */
export function toSettings(parameters: ViewParameters): ViewParameters {
  return Object.fromEntries(Object.entries(parameters).map(([key, value]) => [settingName(key), value]));
}

function settingName(key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,59}$/.test(key)) return `psv.${key}`;
  throw invalidArgument({
    field: `${FIELD}.parameters`,
    description: `the name '${key}' must consist of letters, digits and underscores`,
  });
}

/** Which relations of a database depend on parameters; keys are schema and name, joined by a NUL. */
interface SecureViews {
  /** Views, and tables with row security policies: their rows may depend on settings of the transaction. */
  readonly filtered: ReadonlySet<string>;
  /** Relations under views that read a parameter. They contain the rows that those views hide. */
  readonly underlying: ReadonlySet<string>;
}

/** The key of a table in `SecureViews`. */
export function keyOf(schema: string, table: string): string {
  return `${schema}\0${table}`;
}

const READS_PARAMETER = "c.relkind = 'v' AND pg_get_viewdef(c.oid) ~ 'psv\\.'";

/** Reads them from the catalogue. A view counts as reading parameters when its text names their schema, `psv`. */
export async function readSecureViews(execute: Execute): Promise<SecureViews> {
  const { rows } = await execute(`
    WITH RECURSIVE secure(id) AS (SELECT c.oid FROM pg_class c WHERE ${READS_PARAMETER}),
    under(id) AS (
      SELECT id FROM secure
      UNION SELECT d.refobjid FROM under u JOIN pg_rewrite r ON r.ev_class = u.id
        JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass)
    SELECT n.nspname::text, c.relname::text, c.relkind = 'v' OR c.relrowsecurity,
      c.oid IN (SELECT id FROM under) AND c.oid NOT IN (SELECT id FROM secure)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname !~ '^pg_'`);
  const keys = (at: number) =>
    new Set(rows.filter((row) => row[at] === "t").map(([schema, table]) => keyOf(schema ?? "", table ?? "")));
  return { filtered: keys(2), underlying: keys(3) };
}

/**
 * Throws FAILED_PRECONDITION where parameters would have no effect: at least one relation must be filtered, and no relation under a
 * secure view may be read directly.
 */
export function checkSecureViews(
  scope: readonly ScopedTable[],
  { filtered, underlying }: SecureViews,
  parameters: ViewParameters,
): void {
  const bypassed = scope.flatMap(({ origin: [schema, table] }) =>
    underlying.has(keyOf(schema, table)) ? [table] : [],
  );
  if (bypassed.length > 0) {
    throw failedPrecondition(
      `${FIELD}: a secure view hides rows of ${bypassed.join(", ")}; with parameters, name the view in its place.`,
      { reason: "SECURE_VIEWS_BYPASSED", metadata: { tables: bypassed.join(",") } },
    );
  }
  if (scope.some(({ origin: [schema, table] }) => filtered.has(keyOf(schema, table)))) return;
  const names = Object.keys(parameters);
  throw failedPrecondition(
    `${FIELD}: none of the tables is a view, so the rows that ${names.join(", ")} would hide would be shown. Leave the parameters out, or name views that read current_setting('psv.<name>').`,
    { reason: "SECURE_VIEWS_NOT_SUPPORTED", metadata: { parameters: names.join(",") } },
  );
}
