import type { Models } from "#models";
import type { StoreQuestion } from "../contract.ts";
import { askModel } from "./ask-model.ts";

const PROMPT =
  "Turn the user's last question into one search query for a document search. Resolve what it refers to from the conversation, " +
  "keep names, numbers and product words as they are, and keep its language. Answer with the query alone.";
/** A longer answer is no query. */
const LONGEST = 500;

/** The question in words that search better; itself when there is no rewriter or it gives nothing usable. */
export async function rewrite(
  { query, conversation, rewriter, signal }: StoreQuestion,
  models: Pick<Models, "resolve">,
): Promise<{ readonly query: string; readonly note?: string }> {
  if (!rewriter) return { query };
  const prompt = [conversation && `Conversation:\n${conversation}`, `Question: ${query}`].filter(Boolean).join("\n\n");
  const words = await askModel(models, rewriter, { system: rewriter.prompt || PROMPT, prompt, signal });
  if ("skipped" in words) return { query, note: `The question was not rewritten: ${words.skipped}.` };
  const [line = ""] = words.text.split("\n").map((each) => each.trim().replace(/^"(.*)"$/, "$1"));
  return line === "" || line.length > LONGEST
    ? { query, note: "The question was not rewritten: the model gave no query." }
    : { query: line };
}
