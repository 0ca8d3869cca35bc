import type { JsonObject } from "#base";
import { createApp, type HostileRequest, turn } from "./hostile-requests.ts";

/** Parts of instructions that are hard to read when they are repeated. */
const PARTS: Readonly<Record<string, string>> = {
  sentences: "Answer the user. ",
  variables: "{{text}} {text} ",
  "open braces": "{{ ",
  "spaces in braces": `{{a${" ".repeat(100)}`,
  "open references": "{@AGENT: a ",
  "spaces in references": `{@AGENT:${" ".repeat(1_000)}`,
  references: "{@TOOL: a} ",
  conditions: "{% if text == 'x' %}a{% endif %}\n",
  "open conditions": "{% if text == 'x' %}a",
  "half tags": "{% if a ",
  "spaces in tags": `{% if${" ".repeat(1_000)}`,
  "line breaks": "\n \n",
  steps: "<step><trigger>a</trigger>",
  "open elements": "<step><trigger>",
  "open quotes": "say “",
};

const INSTRUCTIONS: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(
    Object.entries(PARTS).map(([name, part]) => [name, (length: number) => part.repeat(length / part.length)]),
  ),
  "conditions in one another": (length) => `${"{% if text %}".repeat(length / 24)}${"{% endif %}".repeat(length / 24)}`,
  "a long condition": (length) => `{% if ${"text == 'x' and ".repeat(length / 16)} text %}a{% endif %}`,
  "parentheses in one another": (length) =>
    `{% if ${"(".repeat(length / 2)}text${")".repeat(length / 2)} %}a{% endif %}`,
  "a long negation": (length) => `{% if ${"not ".repeat(length / 4)}text %}a{% endif %}`,
};

function appOf(name: string): string {
  return `hostile-instruction-${Object.keys(INSTRUCTIONS).indexOf(name)}`;
}

/** Creates an app for each instruction, of this length. */
export async function createHostileInstructions(address: string, length: number): Promise<void> {
  for (const [name, make] of Object.entries(INSTRUCTIONS))
    await createApp(address, appOf(name), { instruction: make(length) });
}

/** Turns of agents with these instructions. */
export function hostileInstructions(): readonly HostileRequest[] {
  return Object.keys(INSTRUCTIONS).map((name) => ({
    group: "instructions",
    name: `an instruction: ${name}`,
    ...turn(appOf(name), (): JsonObject[] => [{ variables: { text: "x" } }, { text: "hi" }]),
  }));
}
