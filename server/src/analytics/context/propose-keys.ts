import type { Column, TablePath, TableSchema } from "#warehouse";
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
 * Proposes keys (CA-36): a column named id or key without a double or a missing value identifies the rows of a table that declares no key,
 * and a column of that name and type in another table refers to it. Where two tables could be meant, none is.
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
  const names = /^(id|key)$/.test(name) ? [`${owner}id`, `${owner}key`, `${table}id`] : [name];
  return { schema, key, names: new Set(names) };
}

function referenceOf(schema: TableSchema, column: Column, known: Known): Relationship | undefined {
  const named = known.byName.get(normalized(column.name)) ?? [];
  const [meant, other] = named.filter(({ one }) => one.schema !== schema && one.key.type === column.type);
  if (!meant || other || known.keyOf.get(schema) === column.name) return undefined;
  const { path } = meant.one.schema;
  if (known.declared.has(pairOf(schema.path, path))) return undefined;
  return {
    left: schema.path,
    leftColumns: [column.name],
    right: path,
    rightColumns: [meant.one.key.name],
    proposed: true,
  };
}

function pairOf(one: TablePath, other: TablePath): string {
  return [one.join("\0"), other.join("\0")].toSorted().join("\u0001");
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
