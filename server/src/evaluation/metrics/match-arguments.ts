import { RE2JS, RE2JSException } from "re2js";
import { isJsonObject, type JsonObject, type JsonValue, textOrJson } from "#base";
import { type Verdict, verdictOf } from "../verdict.ts";

/** An expected parameter beside what was observed. */
export interface ParameterMatch {
  /** Path from the arguments, e.g. `items[0].id`. */
  readonly path: string;
  readonly verdict: Verdict;
  /** Why it does not match; "" when it does. */
  readonly problem: string;
}

/** Decides whether two values mean the same, for `$matchType: semantic`. */
export type SameMeaning = (expected: string, observed: string) => Promise<{ verdict: Verdict; explanation: string }>;

/**
 * Compares a call's arguments with the expected ones, one by one. Parameters that the golden does not name are ignored. A value may
 * be a matcher with `$matchType`, `$matchValue` and `$originalValue` (EVAL-2).
 */
export async function matchParameters(
  expected: JsonObject,
  observed: JsonObject,
  sameMeaning: SameMeaning,
): Promise<readonly ParameterMatch[]> {
  const matches = Object.entries(expected).map(async ([name, value]): Promise<ParameterMatch> => {
    const result = await compare(value, own(observed, name), sameMeaning);
    return { path: name, ...result };
  });
  return Promise.all(matches);
}

type Comparison = Pick<ParameterMatch, "verdict" | "problem">;

async function compare(
  expected: JsonValue,
  observed: JsonValue | undefined,
  sameMeaning: SameMeaning,
): Promise<Comparison> {
  if (isJsonObject(expected) && typeof expected.$matchType === "string") {
    return byMatcher(expected, observed, sameMeaning);
  }
  if (isJsonObject(expected)) return compareObject(expected, observed, sameMeaning);
  if (Array.isArray(expected)) return compareArray(expected, observed, sameMeaning);
  return equal(expected, observed);
}

async function compareObject(
  expected: JsonObject,
  observed: JsonValue | undefined,
  sameMeaning: SameMeaning,
): Promise<Comparison> {
  if (!isJsonObject(observed)) return equal(expected, observed);
  for (const match of await matchParameters(expected, observed, sameMeaning)) {
    if (match.verdict !== "passed") return { verdict: match.verdict, problem: `${match.path}: ${match.problem}` };
  }
  return MATCHES;
}

async function compareArray(
  expected: readonly JsonValue[],
  observed: JsonValue | undefined,
  sameMeaning: SameMeaning,
): Promise<Comparison> {
  if (!Array.isArray(observed) || observed.length !== expected.length) return equal([...expected], observed);
  for (const [position, item] of expected.entries()) {
    const match = await compare(item, observed[position], sameMeaning);
    if (match.verdict !== "passed") return { verdict: match.verdict, problem: `[${position}]: ${match.problem}` };
  }
  return MATCHES;
}

const MATCHES: Comparison = { verdict: "passed", problem: "" };

function equal(expected: JsonValue, observed: JsonValue | undefined): Comparison {
  if (isSame(expected, observed)) return MATCHES;
  return different(`expected ${show(expected)}, observed ${show(observed)}`);
}

function different(problem: string): Comparison {
  return { verdict: "failed", problem };
}

async function byMatcher(
  { $matchType: type, $matchValue: wanted = null, $originalValue: original = wanted }: JsonObject,
  observed: JsonValue | undefined,
  sameMeaning: SameMeaning,
): Promise<Comparison> {
  if (type === "ignore") return MATCHES;
  if (observed === undefined) return different(`expected a value (${type}), observed nothing`);
  switch (type) {
    case "contains":
      return decided(
        textOrJson(observed).includes(textOrJson(wanted)),
        `${show(observed)} does not contain ${show(wanted)}`,
      );
    case "regexp":
      return matchPattern(textOrJson(wanted), textOrJson(observed));
    case "semantic": {
      if (isSame(wanted, observed) || isSame(original, observed)) return MATCHES;
      const { verdict, explanation } = await sameMeaning(textOrJson(wanted), textOrJson(observed));
      return { verdict, problem: verdict === "passed" ? "" : explanation };
    }
    default:
      return {
        verdict: "not-measured",
        problem: `$matchType '${type}' is unknown; use ignore, contains, regexp or semantic`,
      };
  }
}

function decided(matches: boolean, problem: string): Comparison {
  return { verdict: verdictOf(matches), problem: matches ? "" : problem };
}

/** RE2 syntax, so that no pattern can block the server. */
function matchPattern(pattern: string, text: string): Comparison {
  try {
    return decided(RE2JS.compile(pattern).matcher(text).find(), `${show(text)} does not match /${pattern}/`);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { verdict: "not-measured", problem: `the regular expression /${pattern}/ is invalid: ${error.message}` };
  }
}

/** Whether a value has everything that another has: objects key by key, other values equal. */
export function includesJson(value: JsonValue | undefined, part: JsonValue): boolean {
  if (!isJsonObject(part)) return isSame(part, value);
  return isJsonObject(value) && Object.entries(part).every(([name, inner]) => includesJson(own(value, name), inner));
}

/** Equal as JSON: the order of keys does not count. */
export function isSame(one: JsonValue, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, position) => isSame(item, other[position]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(own(one, name) ?? null, own(other, name)))
  );
}

/** A field of an object; nothing that all objects have, such as `constructor`. */
function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
