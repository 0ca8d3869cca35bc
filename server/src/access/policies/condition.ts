import ipaddr from "ipaddr.js";
import { type Caller, createExpressionParser, type Expression, ExpressionError } from "#base";

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
  /** E.g. `ces.googleapis.com/Agent`; "" when the name is of no known form. */
  readonly type: string;
  /** E.g. `ces.googleapis.com`. */
  readonly service: string;
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
    "inIpRange(string, string): bool": (address: string, range: string) => inIpRange(address, range),
    "inIpRange(string, list<string>): bool": (address: string, ranges: readonly string[]) =>
      ranges.some((range) => inIpRange(address, range)),
  },
});

/** Compiles the text of a condition. Throws `ExpressionError`, whose message is for the author. */
export function parseCondition(text: string): Condition {
  const expression = parse(text);
  const evaluate = (subject: ConditionSubject) => holds(expression, subject);
  const readsLabels = /\blabels\b/.test(text);
  return { readsLabels, holds: readsLabels || /\btime\b/.test(text) ? evaluate : remembering(evaluate) };
}

/** Answers that are kept for one caller. */
const MAX_ANSWERS = 1_000;

/** Keeps answers by caller, address and resource: nothing else decides a condition that reads neither the time nor labels. */
function remembering(evaluate: Condition["holds"]): Condition["holds"] {
  const byCaller = new WeakMap<Caller, Map<string, boolean>>();
  return (subject) => {
    const { caller, address, resource } = subject;
    let answers = byCaller.get(caller);
    if (!answers || answers.size >= MAX_ANSWERS) {
      answers = new Map();
      byCaller.set(caller, answers);
    }
    const key = `${address} ${resource.name}`;
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = evaluate(subject);
      answers.set(key, answer);
    }
    return answer;
  };
}

function holds(expression: Expression, { caller, address, now, resource }: ConditionSubject): boolean {
  const { principal, kind, claims } = caller;
  const { name, type, service, labels } = resource;
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

/** Whether an address is in a range such as `10.0.0.0/8`; IPv4 addresses that are written as IPv6 count as IPv4. */
function inIpRange(address: string, range: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range.includes("/") ? range : `${range}/${range.includes(":") ? 128 : 32}`);
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return client.kind() === network.kind() && client.match(network, bits);
}
