import { isJsonObject, type JsonObject, listOrEmpty, objectOrEmpty, objectsIn } from "#base";

/**
 * The schema of an object body whose own properties stand beside a union (`oneOf`, `anyOf`), as discriminated types are written: with the properties
 * of all members, since each is an argument of the function. Required are its own and those that every member requires. A property that several
 * have may be any of them. A union without properties beside it stays as it is.
 */
export function withMemberProperties(schema: JsonObject): JsonObject {
  const { anyOf, properties, required, ...rest } = schema;
  const members = objectsIn(anyOf).map(withMemberProperties);
  if (members.length === 0 || !isJsonObject(properties)) return schema;
  const inMembers = new Map<string, JsonObject[]>();
  for (const member of members)
    for (const [name, property] of Object.entries(objectOrEmpty(member.properties))) {
      if (Object.hasOwn(properties, name) || !isJsonObject(property)) continue;
      inMembers.set(name, [...(inMembers.get(name) ?? []), property]);
    }
  const added = [...inMembers].map(([name, variants]) => [name, anyOfThem(variants)] as const);
  const byAll = listOrEmpty(members[0]?.required).filter((name) =>
    members.every((member) => listOrEmpty(member.required).includes(name)),
  );
  const all = [...new Set([...listOrEmpty(required), ...byAll])];
  return {
    ...rest,
    properties: { ...properties, ...Object.fromEntries(added) },
    ...(all.length > 0 && { required: all }),
  };
}

function anyOfThem(variants: readonly JsonObject[]): JsonObject {
  const distinct = [...new Map(variants.map((variant) => [JSON.stringify(variant), variant])).values()];
  const [only] = distinct;
  return only && distinct.length === 1 ? only : { anyOf: distinct };
}
