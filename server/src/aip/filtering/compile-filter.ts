import type { DescMessage, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { unreachable } from "#base";
import { invalidArgument } from "#status";
import { walkMessages } from "../walk-messages.ts";
import { contains, fieldComparison, jsonComparison, type ValuePredicate } from "./comparisons.ts";
import { elementsOf, type FieldPath, isPresence, resolveFieldPath, valuesAt } from "./field-path.ts";
import { parseFilter } from "./parser.ts";
import {
  type Comparator,
  FilterError,
  type FilterNode,
  type FunctionCall,
  type Literal,
  type Restriction,
} from "./syntax.ts";

/** Whether a message matches a filter. */
export type Predicate = (message: Message) => boolean;

/** A function that filters of a method may call. Compiled once a filter; throw `FilterError` for wrong arguments. */
type FilterFunction = (call: FunctionCall) => Predicate;

interface FilterOptions {
  /** Name of the request field, for violations. Default `filter`. */
  readonly field?: string;
  /** Documented names that differ from the message's, by first path segment, e.g. `resource_name` → `resource`. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly functions?: Readonly<Record<string, FilterFunction>>;
}

/**
 * Parses and checks a filter (AIP-160) against a message type. Undefined for an empty filter. A syntax error, an unknown
 * field or a value of the wrong type is INVALID_ARGUMENT with the position in the text.
 */
export function compileFilter(desc: DescMessage, filter: string, options: FilterOptions = {}): Predicate | undefined {
  const node = parseRequestFilter(filter, options.field);
  return node && compileNode(desc, node, options);
}

/** Like `parseFilter`, for text from a request: a syntax error is INVALID_ARGUMENT. */
export function parseRequestFilter(filter: string, field = "filter"): FilterNode | undefined {
  if (filter.length > MAX_LENGTH) {
    throw invalidArgument({ field, description: `has ${filter.length} characters; the limit is ${MAX_LENGTH}` });
  }
  return withFilterErrors(field, () => parseFilter(filter));
}

/** Most characters of a filter (WIRE-24). */
const MAX_LENGTH = 10_000;

/** The predicate of a parsed filter. */
export function compileNode(desc: DescMessage, node: FilterNode, options: FilterOptions = {}): Predicate {
  return withFilterErrors(options.field ?? "filter", () => compile(desc, node, options));
}

function withFilterErrors<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw invalidArgument({
      field,
      description: `The filter is wrong at character ${error.at + 1}: ${error.message}.`,
    });
  }
}

function compile(desc: DescMessage, node: FilterNode, options: FilterOptions): Predicate {
  switch (node.kind) {
    case "and": {
      const all = node.operands.map((each) => compile(desc, each, options));
      return (message) => all.every((test) => test(message));
    }
    case "or": {
      const any = node.operands.map((each) => compile(desc, each, options));
      return (message) => any.some((test) => test(message));
    }
    case "not": {
      const operand = compile(desc, node.operand, options);
      return (message) => !operand(message);
    }
    case "literal":
      return (message) => anyStringContains(desc, message, node.text);
    case "function":
      return compileFunction(node, options);
    case "restriction":
      return compileRestriction(desc, withAlias(node, options));
    default:
      return unreachable(node);
  }
}

function compileFunction(node: FunctionCall, { functions = {} }: FilterOptions): Predicate {
  const known = functions[node.name];
  if (known) return known(node);
  const names = Object.keys(functions);
  throw new FilterError(
    `there is no function '${node.name}'${names.length > 0 ? `; known: ${names.join(", ")}` : ""}`,
    node.at,
  );
}

function withAlias(node: Restriction, { aliases = {} }: FilterOptions): Restriction {
  const [first = "", ...rest] = node.path;
  const alias = aliases[first];
  return alias === undefined ? node : { ...node, path: [alias, ...rest] };
}

function compileRestriction(desc: DescMessage, node: Restriction): Predicate {
  const path = resolveFieldPath(desc, node);
  const presence = node.comparator === ":" && isPresence(node.value);
  // != is the opposite of =, so a message without the field matches it.
  const negated = node.comparator === "!=";
  const test = presence ? () => true : compileComparison(path, negated ? "=" : node.comparator, node.value);
  return (message) => valuesAt([reflect(desc, message)], path.steps, presence).some(test) !== negated;
}

function compileComparison(
  { steps, field, dynamic }: FieldPath,
  comparator: Comparator,
  value: Literal,
): ValuePredicate {
  if (dynamic) return jsonComparison(comparator, value);
  const last = steps.at(-1);
  const isWholeMap = field.fieldKind === "map" && last !== undefined && "field" in last;
  if (isWholeMap) return (entry) => (entry as readonly [unknown, unknown])[0] === value.text;
  return fieldComparison(field, comparator, value);
}

function anyStringContains(desc: DescMessage, message: Message, text: string): boolean {
  let found = false;
  walkMessages(desc, message, (each) => {
    for (const field of each.fields) {
      if (found || !each.isSet(field)) continue;
      const values = elementsOf(each.get(field));
      found = values.some((value) => typeof value === "string" && contains(value, text));
    }
  });
  return found;
}
