import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { isOnCalendar, leadsTo } from "#aip";
import { isJsonObject, type JsonValue } from "#base";

/** Whether a timestamp in the JSON of a message is on a day or in an hour that does not exist. Only what can hold timestamps is looked through. */
export function hasImpossibleTime(type: DescMessage, json: JsonValue, depth = 0): boolean {
  const fields = fieldsWithTimes(type);
  if (fields.length === 0 || !isJsonObject(json) || depth > MAX_DEPTH) return false;
  return fields.some((field) =>
    [json[field.jsonName], field.name === field.jsonName ? undefined : json[field.name]].some((value) =>
      isImpossible(field, value, depth),
    ),
  );
}

/** The decoder's own limit. */
const MAX_DEPTH = 100;

/** Whether the value of a field that holds timestamps is, or has, an impossible one. */
function isImpossible(field: DescField, value: JsonValue | undefined, depth: number): boolean {
  if (value === undefined || value === null) return false;
  const { message: type } = field;
  const single = (item: JsonValue): boolean =>
    isTimestamp(field)
      ? typeof item === "string" && !isOnCalendar(item)
      : type !== undefined && hasImpossibleTime(type, item, depth + 1);
  if (Array.isArray(value)) return value.some(single);
  return field.fieldKind === "map" && isJsonObject(value) ? Object.values(value).some(single) : single(value);
}

const withTimes = new WeakMap<DescMessage, readonly DescField[]>();

function fieldsWithTimes(type: DescMessage): readonly DescField[] {
  const known = withTimes.get(type);
  if (known) return known;
  const fields = type.fields.filter((field) => isTimestamp(field) || leadsTo(field, isTimestamp));
  withTimes.set(type, fields);
  return fields;
}

/** Whether a field is a `google.protobuf.Timestamp`. */
export function isTimestamp({ message }: DescField): boolean {
  return message?.typeName === TimestampSchema.typeName;
}
