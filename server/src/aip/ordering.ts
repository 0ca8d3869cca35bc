import { invalidArgument } from "#status";
import { snakeCase } from "./snake-case.ts";

/** One key of an `order_by`: a field path in snake_case, and the direction. */
export interface OrderKey {
  readonly path: string;
  readonly descending: boolean;
}

/**
 * The keys of an `order_by` string (AIP-132): comma-separated field paths, each followed by `asc` or `desc` or nothing.
 * camelCase paths are read as snake_case. A field outside `allowed`, or another syntax, is INVALID_ARGUMENT.
 *
 * @param defaultDescending fields that are descending when no direction is given
 */
export function parseOrderBy(
  text: string,
  allowed: readonly string[],
  defaultDescending: readonly string[] = [],
): readonly OrderKey[] {
  if (text.length > MAX_LENGTH) throw orderViolation(`It has ${text.length} characters; the limit is ${MAX_LENGTH}.`);
  if (text.trim() === "") return [];
  const keys = text.split(",").map((part) => parseKey(part, allowed, defaultDescending));
  const repeated = keys.find((key, index) => keys.findIndex(({ path }) => path === key.path) !== index);
  if (repeated) throw orderViolation(`The field '${repeated.path}' is named twice.`);
  return keys;
}

/** Most characters of an `order_by` (WIRE-24). */
const MAX_LENGTH = 10_000;

function parseKey(part: string, allowed: readonly string[], defaultDescending: readonly string[]): OrderKey {
  const match = /^\s*([A-Za-z_][\w.]*)(?:\s+(asc|desc))?\s*$/i.exec(part);
  if (!match?.[1]) throw orderViolation(`'${part.trim()}' is not a field name with an optional 'asc' or 'desc'.`);
  const path = snakeCase(match[1]);
  if (!allowed.includes(path))
    throw orderViolation(`Ordering by '${match[1]}' is not supported; use ${allowed.join(", ")}.`);
  const direction = match[2]?.toLowerCase();
  return { path, descending: direction === undefined ? defaultDescending.includes(path) : direction === "desc" };
}

function orderViolation(description: string) {
  return invalidArgument({ field: "order_by", description });
}
