import { type ExpressionNode, nodesOf } from "./expression-nodes.ts";

/**
 * Most steps of one evaluation. A step is a call of an operator or a function, or an iteration of a macro; long values cost more. Conditions
 * of apps need hundreds, and all of them take some tens of milliseconds.
 */
const MAX_EXPRESSION_STEPS = 100_000;

/** Text that costs one step to read, UTF-16 units. */
const TEXT_PER_STEP = 512;
/** Product of the lengths of a text and what is looked for in it that costs one step: the search may compare each with each. */
const COMPARISONS_PER_STEP = 65_536;
/** Product of the length of a text and the size of a compiled regular expression that costs one step. */
const MATCHING_PER_STEP = 32;

/** An evaluation needs more steps than it may. */
class OutOfSteps extends Error {
  override readonly name = "OutOfSteps";
}

/** Counts the steps of one evaluation. Evaluations are synchronous, so one budget serves all of them. */
export class ExpressionBudget {
  #most = 0;
  #left = 0;
  #entries = new WeakMap<object, number>();

  /** Begins an evaluation. */
  start(most = MAX_EXPRESSION_STEPS): void {
    this.#most = most;
    this.#left = most;
    this.#entries = new WeakMap();
  }

  /** Throws `OutOfSteps` when fewer are left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new OutOfSteps(`it takes more than ${this.#most} steps; iterate over shorter lists or texts`);
  }

  /** For a regular expression on a text. */
  spendMatch(text: string, programSize: number): void {
    this.spend((text.length * programSize) / MATCHING_PER_STEP);
  }

  /** For an operator or function on these values, each read once. */
  spendCall(values: readonly unknown[]): void {
    let steps = 1;
    for (const value of values) steps += this.#stepsFor(value);
    const [left, right] = values;
    if (typeof left === "string" && typeof right === "string")
      steps += (left.length * right.length) / COMPARISONS_PER_STEP;
    this.spend(steps);
  }

  #stepsFor(value: unknown): number {
    if (typeof value === "string") return value.length / TEXT_PER_STEP;
    if (typeof value !== "object" || value === null) return 0;
    const known = this.#entries.get(value);
    if (known !== undefined) return known;
    let steps = 0;
    for (const item of itemsOf(value)) steps += 1 + this.#stepsFor(item);
    this.#entries.set(value, steps);
    return steps;
  }
}

function itemsOf(value: object): Iterable<unknown> {
  if (Array.isArray(value) || value instanceof Set) return value;
  return value instanceof Map ? value.values() : Object.values(value);
}

/** The bodies of a macro that iterates: `all`, `exists`, `exists_one`, `map`, `filter`. */
interface Comprehension {
  condition?: (accumulated: unknown) => boolean;
}

type Handle = (...operands: readonly unknown[]) => unknown;

/**
 * Makes a parsed expression spend a budget while it is evaluated. The library has no limit of its own, so the functions that its checker puts
 * into the nodes are wrapped, and so are the conditions under which its macros go on.
 */
export function limitSteps(root: unknown, budget: ExpressionBudget): void {
  for (const node of nodesOf(root)) limitNode(node, budget);
}

function limitNode(node: ExpressionNode, budget: ExpressionBudget): void {
  if (node.op === "comprehension") limitIterations(node.args as Comprehension, budget);
  let inner: Handle | undefined;
  const handle: Handle = (...operands) => {
    // Calls get their arguments as one list, operators get one or two operands; then come the library's own objects.
    budget.spendCall(valuesOf(node, operands));
    const result = inner?.(...operands);
    if (typeof result === "string") budget.spend(result.length / TEXT_PER_STEP);
    return result;
  };
  Object.defineProperty(node, "handle", {
    get: () => inner && handle,
    set: (given: Handle) => {
      inner = given;
    },
  });
}

function valuesOf({ op }: ExpressionNode, operands: readonly unknown[]): readonly unknown[] {
  switch (op) {
    case "call":
    case "rcall":
      return operands[0] as readonly unknown[];
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in":
    case "+":
      return operands.slice(0, 2);
    default:
      return [];
  }
}

function limitIterations(comprehension: Comprehension, budget: ExpressionBudget): void {
  const { condition } = comprehension;
  comprehension.condition = (accumulated) => {
    budget.spend(1);
    return condition ? condition(accumulated) : true;
  };
}
