import type { JsonObject } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelMessage, type ModelPart, type StreamPart } from "#models";
import { type AppSketch, idOf } from "../conformance/turn-app.ts";

/** A call of a generated dialogue. */
export interface GeneratedCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** One answer of the model. Calls of one step are made at once. */
export type Step =
  | { readonly calls: readonly GeneratedCall[] }
  | { readonly transfer: string }
  | { readonly say: string };

/** What the user says, unique among all dialogues, and what the model answers to it. */
interface GeneratedTurn {
  readonly user: string;
  readonly steps: readonly Step[];
}

/** A dialogue; its turn `full` has two calls one after the other, a transfer, variables and a text. */
export interface GeneratedDialogue {
  readonly turns: readonly GeneratedTurn[];
  readonly full: number;
}

const AGENTS = ["Host", "Billing", "Returns", "Kitchen"];
const TOOLS = ["find_order", "price_of", "book_table", "send_note"];
const WORDS = ["amber", "basil", "cedar", "dune", "elm", "fern", "grove", "hazel"];

/** An app whose root agent has three others below it, and whose tools each store what they were called with in a variable. */
export const GENERATED_APP: AppSketch = {
  agents: {
    Host: { childAgents: AGENTS.slice(1).map((name) => `$APP/agents/${idOf(name)}`), tools: toolNames() },
    ...Object.fromEntries(AGENTS.slice(1).map((name) => [name, { tools: toolNames() }])),
  },
  tools: Object.fromEntries(TOOLS.map((name) => [name, { pythonFunction: { name, pythonCode: codeOf(name) } }])),
  app: { variableDeclarations: TOOLS.map((name) => ({ name: `last_${name}`, schema: { type: "STRING" } })) },
};

function toolNames(): readonly string[] {
  return TOOLS.map((name) => `$APP/tools/${idOf(name)}`);
}

function codeOf(name: string): string {
  return [
    `def ${name}(item: str = "mug", count: int = 1, options: dict = {}) -> dict:`,
    `    context.state["last_${name}"] = f"{item} {count}"`,
    `    return {"done": "${name}", "item": item, "left": 100 - count}`,
  ].join("\n");
}

/** A dialogue of one to three turns, the same for the same random numbers. `id` makes its texts unique. */
export function generateDialogue(id: string, random: () => number): GeneratedDialogue {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const count = 1 + Math.floor(random() * 3);
  const full = Math.floor(random() * count);
  let serial = 0;
  const call = (): GeneratedCall => {
    serial += 1;
    const args = { item: `${pick(WORDS)}-${id}-${serial}`, count: Math.floor(random() * 50) };
    return { name: pick(TOOLS), args: { ...args, options: { tags: [pick(WORDS), serial], urgent: random() < 0.5 } } };
  };
  const say = () => ({ say: `Dialogue ${id}: your ${pick(WORDS)} and ${pick(WORDS)} are ready (${++serial}).` });
  const turns = Array.from({ length: count }, (_, position): GeneratedTurn => {
    const user = `dialogue ${id} turn ${position}: ${pick(WORDS)}?`;
    if (position !== full) return { user, steps: [...(random() < 0.5 ? [{ calls: [call(), call()] }] : []), say()] };
    const steps: Step[] = [{ calls: [call()] }, { calls: random() < 0.3 ? [call(), call()] : [call()] }];
    steps.splice(Math.floor(random() * 3), 0, { transfer: pick(AGENTS.slice(1)) });
    return { user, steps: [...steps, say()] };
  });
  return { turns, full };
}

/**
 * A model that answers each turn as its steps say. As a judge it gives the score that the material has behind the metric's name
 * (`semantic-similarity 2`), and 1 without.
 */
export class DialogueModel implements LanguageModel {
  readonly label = "test/dialogues";
  readonly capabilities = { ...LLM_CAPABILITIES, safetySettings: true };
  /** The steps by what the user says. Replace an entry, and the agents answer otherwise. */
  readonly steps = new Map<string, readonly Step[]>();

  async *stream({ messages, caller = "" }: Parameters<LanguageModel["stream"]>[0]): AsyncGenerator<StreamPart, void> {
    if (caller.startsWith("judge ")) {
      const score = scoreIn(JSON.stringify(messages), caller.replace("judge ", ""));
      yield { kind: "text-delta", text: JSON.stringify({ explanation: "As the text says.", score }) };
      yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
      return;
    }
    const parts = messages.flatMap((message: ModelMessage) => message.parts.flatMap(presented));
    const at = parts.findLastIndex((part) => part.kind === "text" && this.steps.has(part.text));
    const user = parts[at];
    const steps = (user?.kind === "text" && this.steps.get(user.text)) || [];
    const step = stepAfter(steps, parts.slice(at).filter(({ kind }) => kind === "function-call").length);
    yield* partsOf(step ?? { say: "" });
  }
}

function scoreIn(material: string, metric: string): number {
  return Number(new RegExp(`${metric} (-?\\d+)`).exec(material)?.[1] ?? 1);
}

/** What another agent did is presented as text to the one at work. */
function presented(part: ModelPart): readonly ModelPart[] {
  return part.kind === "text" && part.presents && part.presents.length > 0 ? part.presents : [part];
}

/** The step that follows when so many calls were made; a transfer is a call, too. */
function stepAfter(steps: readonly Step[], made: number): Step | undefined {
  let before = 0;
  for (const step of steps) {
    if (before === made) return step;
    before += "calls" in step ? step.calls.length : 1;
  }
  return undefined;
}

function* partsOf(step: Step): Generator<StreamPart, void> {
  if ("say" in step) yield { kind: "text-delta", text: step.say };
  else if ("transfer" in step)
    yield { kind: "function-call", id: "", name: "transfer_to_agent", args: { agent_name: step.transfer } };
  else for (const { name, args } of step.calls) yield { kind: "function-call", id: "", name, args };
  const isCall = !("say" in step);
  yield { kind: "finish", reason: isCall ? "tool-calls" : "stop", rawReason: "STOP", usage: {} };
}
