import type { Models } from "#models";
import type { SearchHit, StoreAnswer, StoreQuery, StoreQuestion } from "../contract.ts";
import { groundingScore } from "./grounding.ts";
import { rewrite } from "./rewrite.ts";
import { cited, summarize } from "./summarize.ts";

/** Finds passages. */
export type FindPassages = (query: StoreQuery) => Promise<readonly SearchHit[]>;

/**
 * Rewriter, search, summary, grounding check, in this order; each only where the question asks for it (TOOL-29). An
 * answer below the grounding level is not given: the passages are.
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
  const words = await summarize(task, models);
  if ("skipped" in words) return { ...found, notes: [...notes, `There is no summary: ${words.skipped}.`] };
  const { text: answer } = words;
  if (answer === "")
    return { ...found, notes: [...notes, "There is no summary: the sources do not answer the question."] };
  const sources = cited(answer, hits);
  if (groundingLevel <= 0) return { ...found, hits: sources, answer };
  const score = await groundingScore({ answer, hits, step, signal }, models);
  if (score >= groundingLevel) return { ...found, hits: sources, answer, groundingScore: score };
  const why = `The summary was not given: its grounding is ${score.toFixed(1)}, below ${groundingLevel}.`;
  return { ...found, groundingScore: score, notes: [...notes, why] };
}
