import { failedPrecondition, invalidArgument } from "#status";
import type { ScopedTable } from "./gate/pass-gate.ts";
import type { Ask } from "./session.ts";

/** Parameters of secure views by name, as the caller's program gave them. */
export type ViewParameters = Readonly<Record<string, string>>;

const FIELD = "context.parameterized_secure_view_parameters";

/** Secure views read `current_setting('psv.<name>')`: set for the transaction, out of reach of the statement. */
export function settingsOf(parameters: ViewParameters): ViewParameters {
  return Object.fromEntries(Object.entries(parameters).map(([key, value]) => [settingName(key), value]));
}

function settingName(key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,59}$/.test(key)) return `psv.${key}`;
  throw invalidArgument({
    field: `${FIELD}.parameters`,
    description: `the name '${key}' must consist of letters, digits and underscores`,
  });
}

/** What parameters narrow in a database; tables by schema and name, joined by a zero character. */
export interface SecureViews {
  /** Views, and tables with policies of row security: their rows may depend on the transaction's settings. */
  readonly narrowing: ReadonlySet<string>;
  /** What stands under views that read a parameter: the rows that those keep back are in here. */
  readonly guarded: ReadonlySet<string>;
}

/** The key of a table in `SecureViews`. */
export function keyOf(schema: string, table: string): string {
  return `${schema}\0${table}`;
}

const READS_PARAMETER = "c.relkind = 'v' AND pg_get_viewdef(c.oid) ~ 'psv\\.'";

export async function readSecureViews(ask: Ask): Promise<SecureViews> {
  const { rows } = await ask(`
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
  return { narrowing: keys(2), guarded: keys(3) };
}

/**
 * Throws why tables may not be asked with these parameters: something among them must be narrowed, and nothing that a secure view
 * narrows may be read past that view.
 */
export function refuseUnnarrowed(
  scope: readonly ScopedTable[],
  { narrowing, guarded }: SecureViews,
  parameters: ViewParameters,
): void {
  const past = scope.flatMap(({ origin: [schema, table] }) => (guarded.has(keyOf(schema, table)) ? [table] : []));
  if (past.length > 0) {
    throw failedPrecondition(
      `${FIELD}: a secure view keeps back rows of ${past.join(", ")}; with parameters, name the view in its place.`,
      { reason: "SECURE_VIEWS_BYPASSED", metadata: { tables: past.join(",") } },
    );
  }
  if (scope.some(({ origin: [schema, table] }) => narrowing.has(keyOf(schema, table)))) return;
  const names = Object.keys(parameters);
  throw failedPrecondition(
    `${FIELD}: none of the tables is a view, so the rows that ${names.join(", ")} would keep back would be shown. Leave the parameters out, or name views that read current_setting('psv.<name>').`,
    { reason: "SECURE_VIEWS_NOT_SUPPORTED", metadata: { parameters: names.join(",") } },
  );
}
