import type { Column, TablePath, TableSchema } from "#warehouse";
import type { Relationship } from "../contract.ts";
import type { KnownProfiles } from "../profiles/profiles.ts";

/** Keys and relationships that no catalogue declares, found by names, types and values. */
export interface ProposedKeys {
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
  const relationships = schemas.flatMap((schema) =>
    schema.columns.flatMap((column) => referenceOf(schema, column, keyed, declared) ?? []),
  );
  return { schemas: schemas.map((schema) => withKey(schema, keyed)), relationships };
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

function referenceOf(
  schema: TableSchema,
  column: Column,
  keyed: readonly Keyed[],
  declared: readonly Relationship[],
): Relationship | undefined {
  const name = normalized(column.name);
  const [meant, other] = keyed.filter(
    ({ schema: target, key, names }) => target !== schema && names.has(name) && key.type === column.type,
  );
  if (!meant || other || isKeyOf(schema, column, keyed) || isDeclared(schema.path, meant.schema.path, declared))
    return undefined;
  return {
    left: schema.path,
    leftColumns: [column.name],
    right: meant.schema.path,
    rightColumns: [meant.key.name],
    proposed: true,
  };
}

function isKeyOf(schema: TableSchema, column: Column, keyed: readonly Keyed[]): boolean {
  return keyed.some((one) => one.schema === schema && one.key.name === column.name);
}

function isDeclared(one: TablePath, other: TablePath, declared: readonly Relationship[]): boolean {
  const pair = [one, other].map((path) => path.join("\0"));
  return declared.some(({ left, right }) => pair.includes(left.join("\0")) && pair.includes(right.join("\0")));
}

function withKey(schema: TableSchema, keyed: readonly Keyed[]): TableSchema {
  const found = keyed.find((one) => one.schema === schema);
  return schema.primaryKey || !found ? schema : { ...schema, primaryKey: [found.key.name] };
}

/** A name without case and separators. */
function normalized(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.replace(/(?<=ch|sh|ss|x|z)es$|(?<=[^su])s$/, "");
}
