/**
 * The value for a resource name in a map whose keys may have `*` for a segment: that of the exact key, else of the first matching one.
 * With patterns, an app keeps its data stores when it moves to another project.
 */
export function valueForName<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return entryForName(values, name)?.[1];
}

/** The same, with the matching key. */
export function entryForName<Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): readonly [string, Value] | undefined {
  if (Object.hasOwn(values, name)) return [name, values[name] as Value];
  return Object.entries(values).find(([pattern]) => matches(pattern, name));
}

function matches(pattern: string, name: string): boolean {
  const expected = pattern.split("/");
  const given = name.split("/");
  return expected.length === given.length && expected.every((part, at) => part === "*" || part === given[at]);
}
