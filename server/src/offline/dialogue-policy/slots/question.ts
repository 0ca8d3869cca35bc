import type { JsonSchema } from "#models";
import { enumValues, type Parameter } from "./parameter.ts";

/**
 * The question for a missing required parameter, made of its description. The same parameter always gives the same question, so
 * the policy finds it in the history and knows which parameter the next text answers.
 */
export function questionFor(parameter: Parameter): string {
  const described = subjectOf(parameter.description);
  if (/^whether\b/i.test(described)) return `Could you tell me ${described}?`;
  const subject = described === "" ? `the ${toWords(parameter.name)}` : withArticle(described);
  return `Could you tell me ${subject}${choices(parameter.schema)}?`;
}

/** An identifier as words: `orderId` and `order_id` are "order id". */
export function toWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_.-]+/g, " ")
    .trim()
    .toLowerCase();
}

/** The first sentence of a description, without remarks such as "(REQUIRED)" and "Optional.". */
function subjectOf(description: string): string {
  const cleaned = description
    .replace(/[([](?:required|optional)[^)\]]*[)\]]/gi, "")
    .replace(/^(?:required|optional)[.:]\s*/i, "")
    .trim();
  const sentence = /^.*?(?=(?<!\b(?:e\.g|i\.e|etc))[.;](?:\s|$)|\n|$)/s.exec(cleaned)?.[0].trim() ?? "";
  return /^\p{Lu}\p{Ll}/u.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

/** Adds an article ("the order number"), unless the text begins with an article, a possessive or a question word. */
function withArticle(subject: string): string {
  return /^(?:the|a|an|your|their|this|that|these|those|all|any|each|every|one|why|what|which|who|when|where|how|if)\b/i.test(
    subject,
  )
    ? subject.replace(/^(?:the )?(?:customer|user)(?:'s)\b/i, "your")
    : `the ${subject}`.replace(/^the (?:the )?(?:customer|user)'s\b/i, "your");
}

function choices(schema: JsonSchema): string {
  const values = enumValues(schema).map((value) => toWords(String(value)));
  return values.length > 1 ? ` (${values.slice(0, -1).join(", ")} or ${values.at(-1)})` : "";
}
