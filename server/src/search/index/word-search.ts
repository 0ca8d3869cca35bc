import type { DatabaseSync } from "node:sqlite";
import { type Language, languageOfTag } from "../text/languages.ts";
import { tokenizeQuery } from "../text/tokenize.ts";
import type { Passages } from "./passages.ts";
import { type Accepts, byRelevance, type RankedPassage } from "./ranked.ts";

/** Lexical search: BM25 over title, heading and body, weighted by the proximity of the query's terms. */
export interface WordSearch {
  /** The best `limit` passages by BM25, ordered by BM25 times proximity. */
  find(question: string, accepts: Accepts | undefined, limit: number): readonly RankedPassage[];
  /** Must be called after writes. */
  invalidate(): void;
}

/** Limit of terms of a query in one language. */
const MAX_TERMS = 32;

/** Creates the search. A query is tokenized in each language of the documents, because it is often too short to detect its own. */
export function createWordSearch(database: DatabaseSync, passages: Passages): WordSearch {
  const ranked = database.prepare(
    "SELECT rowid AS chunk, -rank AS score, title, heading, body FROM terms WHERE terms MATCH ? ORDER BY rank",
  );
  let languages: readonly Language[] | undefined;
  return {
    find: (question, accepts, limit) => {
      languages ??= languagesIn(database);
      const queries = tokenizeQuery(question, languages).map((terms) => terms.slice(0, MAX_TERMS));
      const expression = [...new Set(queries.flat())].map((term) => `"${term}"`).join(" OR ");
      const found: RankedPassage[] = [];
      if (expression === "") return found;
      for (const { chunk, score, title, heading, body } of ranked.iterate(expression)) {
        if (accepts && !accepts(passages.dataOf(Number(chunk)))) continue;
        const fields = [String(title), String(heading), String(body)];
        const weight = Math.max(...queries.map((terms) => proximity(terms, fields)));
        found.push({ chunk: Number(chunk), relevance: Number(score) * weight });
        if (found.length >= limit) break;
      }
      return found.sort(byRelevance);
    },
    invalidate: () => {
      languages = undefined;
    },
  };
}

function languagesIn(database: DatabaseSync): readonly Language[] {
  const rows = database.prepare("SELECT DISTINCT language FROM documents ORDER BY language").all();
  const languages = rows.flatMap(({ language }) => languageOfTag(String(language)) ?? []);
  return languages.length > 0 ? languages : ["en"];
}

/** Longest distance of two terms that counts as close. */
const WINDOW = 6;

/**
 * Weight of a passage by the proximity of the query's terms in its fields (each a string of terms): from 1 for one term of many to about
 * 2.2 when all terms are there, adjacent and in order. BM25 does not take positions into account.
 */
export function proximity(terms: readonly string[], fields: readonly string[]): number {
  const positions = fields.map((field) => positionsOf(terms, field));
  const found = terms.filter((term) => positions.some((places) => places.has(term)));
  const coverage = found.length / terms.length;
  const pairs = terms.length - 1;
  if (pairs === 0) return 1 + 0.6 * coverage;
  let closeness = 0;
  for (let at = 0; at < pairs; at++) {
    const [first = "", second = ""] = [terms[at], terms[at + 1]];
    closeness += Math.max(...positions.map((places) => pairCloseness(places.get(first), places.get(second))));
  }
  return 1 + 0.6 * coverage + (0.6 * closeness) / pairs;
}

function positionsOf(terms: readonly string[], field: string): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  const set = new Set(terms);
  for (const [at, term] of field.split(" ").entries()) {
    if (!set.has(term)) continue;
    const places = positions.get(term);
    if (places) places.push(at);
    else positions.set(term, [at]);
  }
  return positions;
}

/** 1 for adjacent terms, less with distance, 0 beyond the window; half of it in reverse order. */
function pairCloseness(first: readonly number[] | undefined, second: readonly number[] | undefined): number {
  if (!first || !second) return 0;
  let best = 0;
  let from = 0;
  for (const position of first) {
    while (from < second.length && (second[from] ?? 0) < position - WINDOW) from++;
    for (let at = from; at < second.length && (second[at] ?? 0) <= position + WINDOW; at++) {
      const distance = (second[at] ?? 0) - position;
      if (distance !== 0) best = Math.max(best, (distance > 0 ? 1 : 0.5) / Math.abs(distance));
    }
    if (best === 1) return 1;
  }
  return best;
}
