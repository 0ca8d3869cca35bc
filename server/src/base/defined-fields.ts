/** Fields that may be undefined become optional; the others stay as they are. */
type DefinedFields<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/**
 * The object without its undefined fields, so that an optional field without a value is absent: `{ a: 1, b: undefined }` becomes
 * `{ a: 1 }`. Needed where keys count: objects that are spread over defaults, compared, enumerated or handed to a library. JSON and
 * messages leave undefined fields out by themselves, so `{ a, b }` is enough there.
 */
export function definedFields<Fields extends object>(fields: Fields): DefinedFields<Fields> {
  const defined: { [Name in keyof Fields]?: unknown } = {};
  for (const name in fields) if (fields[name] !== undefined) defined[name] = fields[name];
  return defined as DefinedFields<Fields>;
}

/** What `nonEmptyFields` leaves out. */
type Empty = undefined | null | false | 0 | "";

/**
 * The object without the fields that are undefined, null, false, 0 or "": `{ label: "", hidden: true }` becomes `{ hidden: true }`. For
 * shapes in which an empty field means the same as none; where only undefined does, `definedFields`.
 */
export function nonEmptyFields<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], Empty> } {
  const filled: { [Name in keyof Fields]?: unknown } = {};
  for (const name in fields) if (fields[name]) filled[name] = fields[name];
  return filled as { [Name in keyof Fields]?: Exclude<Fields[Name], Empty> };
}
