import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { Restriction } from "./syntax.ts";
import { FilterError, type Literal } from "./syntax.ts";

/** A step of a checked path: into a field, to a key of a map, or into JSON of a Struct. */
export type PathStep = { readonly field: DescField } | { readonly key: string };

/** A path that exists in the message. `field` is the declared field that the compared values belong to. */
export interface CheckedPath {
  readonly steps: readonly PathStep[];
  readonly field: DescField;
  /** The path leads into JSON, whose values have no declared type. */
  readonly dynamic: boolean;
}

/**
 * Resolves the path of a restriction against a message. Fields are found by proto or JSON name. Lists may be entered and compared
 * only with `:` (AIP-160). Throws `FilterError` for a path that does not exist.
 */
export function checkPath(desc: DescMessage, { path, comparator, at }: Restriction): CheckedPath {
  const steps: PathStep[] = [];
  let current: DescMessage | undefined = desc;
  let last: DescField | undefined;
  for (let index = 0; index < path.length; index++) {
    const part = path[index] ?? "";
    const field: DescField | undefined = current?.fields.find(
      ({ name, jsonName }) => name === part || jsonName === part,
    );
    if (!field) throw new FilterError(unknownField(part, current, last), at);
    steps.push({ field });
    last = field;
    current = field.message;
    const rest = path.slice(index + 1);
    if (isStruct(field)) return { steps: [...steps, ...rest.map((key) => ({ key }))], field, dynamic: rest.length > 0 };
    if (field.fieldKind === "list" && comparator !== ":") {
      throw new FilterError(`'${part}' is a list; use ':' to ask whether it has a value`, at);
    }
    if (field.fieldKind === "map") {
      if (rest.length > 0) steps.push({ key: path[++index] ?? "" });
      else if (comparator !== ":")
        throw new FilterError(`'${part}' is a map; use '${part}:key' or '${part}.key = value'`, at);
    }
  }
  if (!last) throw new FilterError("a field is missing", at);
  return { steps, field: last, dynamic: false };
}

/** Whether a value asks for presence only: `field:*`. */
export function isPresence(value: Literal): boolean {
  return value.text === "*" && !value.quoted;
}

function unknownField(part: string, inside: DescMessage | undefined, last: DescField | undefined): string {
  return inside
    ? `${inside.name} has no field '${part}'`
    : `'${last?.name ?? ""}' has no fields, so '${part}' cannot be found in it`;
}

function isStruct(field: DescField): boolean {
  return field.fieldKind === "message" && field.message.typeName === "google.protobuf.Struct";
}
