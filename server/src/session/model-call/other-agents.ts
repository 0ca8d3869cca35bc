import { writeJson } from "#base";
import type { ModelMessage, ModelPart } from "#models";

/**
 * What another agent did, as ADK presents it to the agent at work (TURN-45): a message of the user with one text for each part.
 * Calls and responses of functions that this agent may not have are never given to it as such. Images and documents stay what they are.
 */
export function presentAsContext(author: string, parts: readonly ModelPart[]): ModelMessage {
  return { role: "user", parts: [HEADING, ...parts.map((part) => presentPart(author, part))] };
}

/** Whether a message presents another agent's parts, as `presentAsContext` makes it. */
export function isContext({ parts }: ModelMessage): boolean {
  return parts[0] === HEADING;
}

const HEADING: ModelPart = { kind: "text", text: "For context:", presents: [] };

function presentPart(author: string, part: ModelPart): ModelPart {
  switch (part.kind) {
    case "blob":
      return part;
    case "text":
      return { kind: "text", text: `[${author}] said: ${part.text}`, presents: [part] };
    case "function-call": {
      const text = `[${author}] called tool \`${part.name}\` with parameters: ${writeJson(part.args)}`;
      return { kind: "text", text, presents: [part] };
    }
    case "function-response": {
      const text = `[${author}] \`${part.name}\` tool returned result: ${writeJson(part.response)}`;
      return { kind: "text", text, presents: [part] };
    }
  }
}
