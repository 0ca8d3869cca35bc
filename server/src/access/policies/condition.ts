import { type Caller, createExpressionParser, type Expression, ExpressionError } from "#base";
import { createAddressRanges } from "./address-ranges.ts";
import { typeOfName } from "./resource-facts.ts";

/** What a condition is evaluated for. */
export interface ConditionSubject {
  readonly caller: Caller;
  /** IP address of the client; "" for calls within the process. */
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly resource: ConditionResource;
}

interface ConditionResource {
  readonly name: string;
  /** Of the app or data agent that the resource is, or belongs to; read when `Condition.readsLabels`. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The condition of a binding. */
export interface Condition {
  readonly readsLabels: boolean;
  /** False also where the condition cannot be evaluated, e.g. for a claim that the caller does not have (IAM-7). */
  holds(subject: ConditionSubject): boolean;
}

/** Steps of one evaluation, at most: a policy's conditions are evaluated one after the other, before a call is answered. */
const MAX_STEPS = 1_000;

const RANGES = createAddressRanges();

const parse = createExpressionParser({
  steps: MAX_STEPS,
  variables: {
    request: {
      time: "google.protobuf.Timestamp",
      auth: { principal: "string", kind: "string", claims: "map" },
    },
    origin: { ip: "string" },
    resource: { name: "string", type: "string", service: "string", labels: "map<string, string>" },
  },
  functions: {
    "inIpRange(string, string): bool": (address: string, range: string) => RANGES.contains(range, address),
    "inIpRange(string, list<string>): bool": (address: string, ranges: readonly string[]) =>
      ranges.some((range) => RANGES.contains(range, address)),
  },
});

/** Compiles the text of a condition. Throws `ExpressionError`, whose message is for the author. */
export function parseCondition(text: string): Condition {
  const expression = parse(text);
  // A name may be written with escapes where it is a key: `resource["t\x79pe"]`.
  const reads = (word: RegExp) => text.includes("\\") || word.test(text);
  const readsType = reads(/\b(type|service)\b/);
  const evaluate = (subject: ConditionSubject) => holds(expression, subject, readsType);
  const readsLabels = reads(/\blabels\b/);
  if (readsLabels || reads(/\btime\b/)) return { readsLabels, holds: evaluate };
  return { readsLabels, holds: remembering(evaluate, reads(/\bresource\b/)) };
}

/** Answers that are kept for one caller. */
const MAX_ANSWERS = 1_000;

/** Keeps answers by caller, address and, where it is read, resource: nothing else decides a condition that reads neither the time nor labels. */
function remembering(evaluate: Condition["holds"], readsResource: boolean): Condition["holds"] {
  const byCaller = new WeakMap<Caller, Map<string, boolean>>();
  return (subject) => {
    const { caller, address, resource } = subject;
    let answers = byCaller.get(caller);
    if (!answers || answers.size >= MAX_ANSWERS) {
      answers = new Map();
      byCaller.set(caller, answers);
    }
    const key = readsResource ? `${address} ${resource.name}` : address;
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = evaluate(subject);
      answers.set(key, answer);
    }
    return answer;
  };
}

function holds(
  expression: Expression,
  { caller, address, now, resource }: ConditionSubject,
  readsType: boolean,
): boolean {
  const { principal, kind, claims } = caller;
  const { name, labels } = resource;
  // E.g. `ces.googleapis.com/Agent`, of `ces.googleapis.com`; "" when the name is of no known form.
  const type = readsType ? typeOfName(name) : "";
  const service = type.slice(0, Math.max(0, type.indexOf("/")));
  try {
    return expression.evaluate({
      request: { time: new Date(now), auth: { principal, kind, claims } },
      origin: { ip: address },
      resource: { name, type, service, labels },
    });
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}
