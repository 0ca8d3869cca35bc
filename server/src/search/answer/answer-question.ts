import type { Models } from "#models";
import type { SearchHit, StoreAnswer, StoreQuery, StoreQuestion } from "../contract.ts";
import { generateText } from "./generate-text.ts";
import { groundingScore } from "./grounding.ts";
import { citedHits, summarize } from "./summarize.ts";

/** Finds passages. */
type FindPassages = (query: StoreQuery) => Promise<readonly SearchHit[]>;

/**
 * Rewriting, search, summary and grounding check, in this order, as far as the question asks for them (TOOL-29). An
 * answer below the grounding level is dropped; the passages remain.
 */
export async function answerQuestion(
  question: StoreQuestion,
  find: FindPassages,
  models: Pick<Models, "resolve">,
): Promise<StoreAnswer> {
  const rewritten = await rewrite(question, models);
  const notes = rewritten.note === undefined ? [] : [rewritten.note];
  const hits = await find({ ...question, query: rewritten.query });
  const found = { query: rewritten.query, hits, answer: "", notes };
  const { summarizer: step, groundingLevel = 0, signal } = question;
  if (!step || hits.length === 0) return found;
  const task = { step, originalQuery: question.query, rewrittenQuery: rewritten.query, hits, signal };
  const summary = await summarize(task, models);
  if ("skipped" in summary) return { ...found, notes: [...notes, `There is no summary: ${summary.skipped}.`] };
  const { text: answer } = summary;
  if (answer === "")
    return { ...found, notes: [...notes, "There is no summary: the sources do not answer the question."] };
  const sources = citedHits(answer, hits);
  if (groundingLevel <= 0) return { ...found, hits: sources, answer };
  const score = await groundingScore({ answer, hits, step, signal }, models);
  if (score >= groundingLevel) return { ...found, hits: sources, answer, groundingScore: score };
  const why = `The summary was dropped: its grounding is ${score.toFixed(1)}, below ${groundingLevel}.`;
  return { ...found, groundingScore: score, notes: [...notes, why] };
}

const PROMPT =
  "Turn the user's last question into one search query for a document search. Resolve what it refers to from the conversation, " +
  "keep names, numbers and product words as they are, and keep its language. Answer with the query alone.";
/** A longer response is not a query. */
const MAX_QUERY_LENGTH = 500;

/** Rewrites the query. Returns it unchanged when there is no rewriter or its response is not a query. */
async function rewrite(
  { query, conversation, rewriter, signal }: StoreQuestion,
  models: Pick<Models, "resolve">,
): Promise<{ readonly query: string; readonly note?: string }> {
  if (!rewriter) return { query };
  const prompt = [conversation && `Conversation:\n${conversation}`, `Question: ${query}`].filter(Boolean).join("\n\n");
  const generated = await generateText(models, rewriter, { system: rewriter.prompt || PROMPT, prompt, signal });
  if ("skipped" in generated) return { query, note: `The question was not rewritten: ${generated.skipped}.` };
  const [line = ""] = generated.text.split("\n").map((each) => each.trim().replace(/^"(.*)"$/, "$1"));
  return line === "" || line.length > MAX_QUERY_LENGTH
    ? { query, note: "The question was not rewritten: the model gave no query." }
    : { query: line };
}
