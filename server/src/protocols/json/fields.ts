import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";

const byName = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** A message's fields by both of their names, `page_size` and `pageSize`. Cached by descriptor, which never changes. */
export function fieldsByName(type: DescMessage): ReadonlyMap<string, DescField> {
  const known = byName.get(type);
  if (known) return known;
  const fields = new Map(
    type.fields.flatMap((field) => [[field.name, field] as const, [field.jsonName, field] as const]),
  );
  byName.set(type, fields);
  return fields;
}

/** The key of a field in an object: the spelling that is present, else the JSON name. */
export function keyOf(field: DescField, object: object): string {
  return !Object.hasOwn(object, field.jsonName) && Object.hasOwn(object, field.name) ? field.name : field.jsonName;
}

/** A mask with its paths in camelCase, which proto3 JSON prescribes; clients send both spellings. */
export function camelMask(mask: string): string {
  return mask.replace(/(?<!_)_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The names of an enum that mean something. */
export function namesIn({ values }: DescEnum): readonly string[] {
  return values.filter(({ number, name }) => number !== 0 || !name.endsWith("_UNSPECIFIED")).map(({ name }) => name);
}
