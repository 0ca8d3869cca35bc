import type { Example } from "@frontdesk/protos/ces/example";
import { writeJson } from "#base";
import type { DialogueExample, ModelMessage, ModelPart } from "#models";
import { History, type HistoryNames } from "./history.ts";

/** Examples as dialogues in model form (TURN-37). */
export function dialogueExamples(
  examples: readonly Example[],
  { tools, toolsets }: Pick<HistoryNames, "tools" | "toolsets">,
): readonly DialogueExample[] {
  return examples.map((example) => {
    const history = new History({ tools, toolsets, dynamicNames: new Set() });
    for (const [position, message] of example.messages.entries()) history.append(message, { turn: 0, position });
    return { name: example.displayName, messages: history.messages() };
  });
}

/** Examples as a block of the system prompt; "" for none. */
export function examplesText(examples: readonly DialogueExample[]): string {
  if (examples.length === 0) return "";
  const blocks = examples.map(
    ({ name, messages }, index) =>
      `EXAMPLE ${index + 1}: ${name}\nBegin example\n${messages.map(dialogueText).join("\n")}\nEnd example`,
  );
  return [
    "These dialogues show how to act. Follow their manner; their facts belong to other conversations.",
    ...blocks,
  ].join("\n\n");
}

function dialogueText({ role, parts }: ModelMessage): string {
  return parts.map((part) => partText(role, part)).join("\n");
}

function partText(role: ModelMessage["role"], part: ModelPart): string {
  switch (part.kind) {
    case "text":
      return `[${role}] ${part.text}`;
    case "blob":
      return `[${role}] (${part.mimeType})`;
    case "function-call":
      return `[${role}] calls ${part.name} with ${writeJson(part.args)}`;
    case "function-response":
      return `[${part.name}] answers ${writeJson(part.response)}`;
  }
}
