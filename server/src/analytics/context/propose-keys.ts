import { type Column, type TablePath, type TableSchema, tableKey } from "#warehouse";
import type { Relationship } from "../contract.ts";
import type { KnownProfiles } from "../profiles/profiles.ts";

/** Keys and relationships that no catalogue declares, found by names, types and values. */
interface ProposedKeys {
  readonly schemas: readonly TableSchema[];
  readonly relationships: readonly Relationship[];
}

/** A table whose rows one column identifies. */
interface Keyed {
  readonly schema: TableSchema;
  readonly key: Column;
  /** The names that columns of other tables have when they refer to it. */
  readonly names: ReadonlySet<string>;
}

/**
 * Proposes keys (CA-36): a column named as an identifier, or else as its table, without a double or a missing value identifies the rows of a
 * table that declares no key, and a column of that name and type in another table refers to it, also with a role before it
 * (`attending_doctor_id`) and called as the table (`customer`), unless its known values are none of the key's. Where two tables could be meant, or two columns of a table, none is.
 *
 * @param declared relationships of the catalogue and of the author, which win
 */
export function proposeKeys(
  schemas: readonly TableSchema[],
  profiles: Pick<KnownProfiles, "of">,
  declared: readonly Relationship[],
): ProposedKeys {
  const keyed = schemas.flatMap((schema) => keyOf(schema, profiles.of(schema.path)?.keys ?? []) ?? []);
  const known: Known = {
    byName: Map.groupBy(
      keyed.flatMap((one) => [...one.names].map((name) => ({ name, one }))),
      ({ name }) => name,
    ),
    keyOf: new Map(keyed.map(({ schema, key }) => [schema, key.name])),
    declared: new Set(declared.map(({ left, right }) => pairOf(left, right))),
    valuesOf: ({ path }, { name }) => profiles.of(path)?.values[name],
  };
  const relationships = schemas.flatMap((schema) =>
    schema.columns.flatMap((column) => referenceOf(schema, column, known) ?? []),
  );
  return { schemas: schemas.map((schema) => withKey(schema, known)), relationships };
}

/** What references are looked up in: a catalog may have tens of thousands of columns. */
interface Known {
  readonly byName: ReadonlyMap<string, readonly { readonly one: Keyed }[]>;
  readonly keyOf: ReadonlyMap<TableSchema, string>;
  /** Pairs of tables with a declared relationship. */
  readonly declared: ReadonlySet<string>;
  /** The values of a column, where they are few. */
  readonly valuesOf: (schema: TableSchema, column: Column) => readonly string[] | undefined;
}

function keyOf(schema: TableSchema, unique: readonly string[]): Keyed | undefined {
  const [declared] = schema.primaryKey ?? [];
  if (schema.primaryKey && schema.primaryKey.length !== 1) return undefined;
  const candidates = declared === undefined ? unique : [declared];
  const table = normalized(schema.path.at(-1) ?? "");
  const owner = singular(table);
  const own = candidates.find((name) =>
    ["id", "key", `${owner}id`, `${owner}key`, `${table}id`].includes(normalized(name)),
  );
  const key = schema.columns.find(({ name }) => name === (own ?? candidates[0]));
  if (!key) return undefined;
  const name = normalized(key.name);
  const isPlain = /^(id|key)$/.test(name);
  const names = isPlain
    ? [`${owner}id`, `${owner}key`, `${table}id`, owner]
    : [name, ...(name === `${owner}id` ? [owner] : [])];
  return { schema, key, names: new Set(names) };
}

function referenceOf(schema: TableSchema, column: Column, known: Known): Relationship | undefined {
  const [meant, other] = targetsOf(schema, column, column.name, known);
  const target = meant ?? targetOfRole(schema, column, known);
  if (!target || other || known.keyOf.get(schema) === column.name) return undefined;
  const { path } = target.schema;
  if (known.declared.has(pairOf(schema.path, path))) return undefined;
  return {
    left: schema.path,
    leftColumns: [column.name],
    right: path,
    rightColumns: [target.key.name],
    proposed: true,
  };
}

/** Tables whose key a column of this name would refer to. */
function targetsOf(schema: TableSchema, column: Column, name: string, known: Known): readonly Keyed[] {
  const named = known.byName.get(normalized(name)) ?? [];
  return named.flatMap(({ one }) =>
    one.schema !== schema && one.key.type === column.type && mayRefer(schema, column, one, known) ? [one] : [],
  );
}

/** `customer` with names does not refer to the `customer_id` of customers: known values of both have to meet. */
function mayRefer(schema: TableSchema, column: Column, { schema: other, key }: Keyed, { valuesOf }: Known): boolean {
  const [own, keys] = [valuesOf(schema, column), valuesOf(other, key)];
  if (!own || !keys || own.length === 0) return true;
  const known = new Set(keys);
  return own.some((value) => known.has(value));
}

/** `attending_doctor_id` refers to doctors; `home_team_id` and `away_team_id` of a match are two teams, and neither is the match's. */
function targetOfRole(schema: TableSchema, column: Column, known: Known): Keyed | undefined {
  const [target, other] = rolesOf(schema, column, known);
  if (!target || other) return undefined;
  const alike = schema.columns.filter(
    (one) => rolesOf(schema, one, known).includes(target) || targetsOf(schema, one, one.name, known).includes(target),
  );
  return alike.length === 1 ? target : undefined;
}

/** Tables that the last words of a name refer to: the word before an identifier, and the identifier. */
function rolesOf(schema: TableSchema, column: Column, known: Known): readonly Keyed[] {
  const words = column.name.replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2").split(/[^\p{L}\p{N}]+/u);
  return words.length < 3 ? [] : targetsOf(schema, column, words.slice(-2).join(""), known);
}

function pairOf(one: TablePath, other: TablePath): string {
  return [tableKey(one), tableKey(other)].toSorted().join("\u0001");
}

function withKey(schema: TableSchema, { keyOf }: Known): TableSchema {
  const found = keyOf.get(schema);
  return schema.primaryKey || found === undefined ? schema : { ...schema, primaryKey: [found] };
}

/** A name without case and separators. */
function normalized(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.replace(/(?<=ch|sh|ss|x|z)es$|(?<=[^su])s$/, "");
}
