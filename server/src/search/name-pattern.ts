/**
 * The value for a resource name among keys that are names, too, where `*` stands for any one segment: the exact key, else the
 * first that fits. An app that moves between projects keeps its data stores that way.
 */
export function valueForName<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return entryForName(values, name)?.[1];
}

/** The same, with the key that fits. */
export function entryForName<Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): readonly [string, Value] | undefined {
  if (Object.hasOwn(values, name)) return [name, values[name] as Value];
  return Object.entries(values).find(([pattern]) => fits(pattern, name));
}

function fits(pattern: string, name: string): boolean {
  const wanted = pattern.split("/");
  const given = name.split("/");
  return wanted.length === given.length && wanted.every((part, at) => part === "*" || part === given[at]);
}
