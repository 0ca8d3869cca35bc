import {
  Environment,
  EvaluationError,
  ParseError,
  type TypeCheckResult,
  TypeError as TypingError,
} from "@marcbachmann/cel-js";
import { RE2JS } from "re2js";
import { ExpressionBudget, limitSteps } from "./expression-budget.ts";
import { nodesOf } from "./expression-nodes.ts";
import type { JsonValue } from "./json.ts";

/** A condition over named values, in the Common Expression Language (the text form of `google.api.expr`). */
export interface Expression {
  /** Its result for these values. Throws `ExpressionError` for an unknown name or key, wrong types, or too many steps (TURN-61). */
  evaluate(values: ExpressionValues): boolean;
}

/** JSON, and dates, which are CEL's timestamps. */
interface ExpressionValues {
  readonly [name: string]: JsonValue | Date | ExpressionValues | undefined;
}

/** What expressions can name beside the standard functions. */
interface ExpressionVocabulary {
  /** Variables with the types of their members, e.g. `{ resource: { name: "string" } }`. Default: any name is a variable of any type. */
  readonly variables?: Readonly<Record<string, ObjectSchema>>;
  /** By signature, e.g. `double(int): int`. Default none. */
  readonly functions?: Readonly<Record<string, (...args: never[]) => unknown>>;
  /** Most steps of one evaluation. Default 100,000. */
  readonly steps?: number;
}

/** The types of an object's members, by CEL's names. */
interface ObjectSchema {
  readonly [member: string]: string | ObjectSchema;
}

/** Why an expression cannot be parsed or evaluated; the message is one line for its author. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

/**
 * Returns a function that parses expressions over this vocabulary. With variables, names, members and the result's type are checked when an
 * expression is parsed. It throws `ExpressionError` for an invalid one.
 */
export function createExpressionParser(vocabulary: ExpressionVocabulary): (text: string) => Expression {
  const environment = createEnvironment(vocabulary);
  return (text) => {
    if (text.length > MAX_LENGTH)
      throw new ExpressionError(`the expression has ${text.length} characters; the limit is ${MAX_LENGTH}`);
    const parsed = orExpressionError(() => environment.parse(text));
    matchInLinearTime(parsed.ast);
    // Before the check, whose functions are wrapped as it puts them into the nodes.
    limitSteps(parsed.ast, BUDGET);
    if (vocabulary.variables) requireCondition(parsed.check());
    const names = new Set(text.match(/[A-Za-z_]\w*/g));
    return {
      evaluate(values) {
        const used: Record<string, unknown> = Object.create(null);
        for (const name of names) if (Object.hasOwn(values, name)) used[name] = toCel(values[name]);
        BUDGET.start(vocabulary.steps);
        const result: unknown = orExpressionError(() => parsed(used));
        if (typeof result === "boolean") return result;
        throw notCondition(typeof result);
      },
    };
  };
}

/**
 * Parses an expression over any variables. Whole numbers of JSON are CEL's `int`, all others `double`; arithmetic may mix the two, as authors of
 * `count + 1` expect.
 */
export function parseExpression(text: string): Expression {
  return PARSE(text);
}

function requireCondition({ valid, type, error }: TypeCheckResult): void {
  if (!valid) throw new ExpressionError(firstLine(error?.message));
  if (type !== "bool" && type !== "dyn") throw notCondition(String(type));
}

function notCondition(type: string): ExpressionError {
  return new ExpressionError(`the expression is not a condition: its value is ${type}, not true or false`);
}

/** Most characters of an expression: parsing takes some microseconds for each. */
const MAX_LENGTH = 10_000;

const MATCHES = "matchesInLinearTime";

const BUDGET = new ExpressionBudget();

const PARSE = createExpressionParser({});

function createEnvironment({ variables, functions = {} }: ExpressionVocabulary): Environment {
  const environment = new Environment({ unlistedVariablesAreDyn: !variables, homogeneousAggregateLiterals: false });
  for (const [name, schema] of Object.entries(variables ?? {})) environment.registerVariable({ name, schema });
  for (const [signature, handler] of Object.entries(functions)) environment.registerFunction(signature, handler);
  const find = (text: string, source: string) => {
    BUDGET.spend(source.length * COMPILING_STEPS);
    const expression = RE2JS.compile(source);
    BUDGET.spendMatch(text, expression.programSize());
    return expression.matcher(text).find();
  };
  environment.registerFunction(`string.${MATCHES}(string): bool`, find);
  const sums: Readonly<Record<string, (left: number, right: number) => number>> = {
    "+": (left, right) => left + right,
    "-": (left, right) => left - right,
    "*": (left, right) => left * right,
    "/": (left, right) => left / right,
  };
  for (const [sign, sum] of Object.entries(sums)) {
    const mixed = (left: unknown, right: unknown) => sum(Number(left), Number(right));
    environment.registerOperator(`int ${sign} double`, mixed);
    environment.registerOperator(`double ${sign} int`, mixed);
  }
  return environment;
}

/** Steps for each character of a regular expression: it is compiled with every call. */
const COMPILING_STEPS = 20;

/**
 * CEL defines `matches` as RE2, and the library's own backtracks: with it, an app could block the server. The calls are found in what the library parsed,
 * because a quote in a comment, or whatever else it takes otherwise than a search of the text would, must not hide one.
 */
function matchInLinearTime(root: unknown): void {
  for (const { op, args } of nodesOf(root))
    if (op === "rcall" && Array.isArray(args) && args[0] === "matches") args[0] = MATCHES;
}

function orExpressionError<Result>(attempt: () => Result): Result {
  try {
    return attempt();
  } catch (error) {
    const known = error instanceof ParseError || error instanceof EvaluationError || error instanceof TypingError;
    // An error in a function of the expression (a malformed regular expression) is a fault of the expression too.
    if (!known && !(error instanceof Error)) throw error;
    throw new ExpressionError(firstLine(error.message), { cause: error });
  }
}

function firstLine(text = ""): string {
  return text.split("\n")[0] ?? "";
}

function toCel(value: JsonValue | Date | ExpressionValues | undefined): unknown {
  if (value instanceof Date) return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value === "object" && value !== null) {
    return new Map(Object.entries(value).map(([name, member]) => [name, toCel(member)]));
  }
  return value ?? null;
}
