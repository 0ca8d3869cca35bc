import type { DatabaseSync } from "node:sqlite";
import { type Language, languageOfTag } from "../text/languages.ts";
import { questionTerms } from "../text/terms.ts";
import { nearness } from "./nearness.ts";
import type { Passages } from "./passages.ts";
import { type Accepts, byRelevance, type Ranked } from "./ranked.ts";

/** Finds passages by words: BM25 over title, heading and body, then a closer look at how the words stand together. */
export interface WordSearch {
  /** At least `limit` of the best are looked at, where there are that many. */
  find(question: string, accepts: Accepts | undefined, limit: number): readonly Ranked[];
  /** Something was written. */
  forget(): void;
}

/** Most different words of a question that count. */
const MAX_TERMS = 32;

/** A question is asked in each language that documents are in: which one its own few words are in is often not to be told. */
export function createWordSearch(database: DatabaseSync, passages: Passages): WordSearch {
  const ranked = database.prepare(
    "SELECT rowid AS chunk, -rank AS score, title, heading, body FROM terms WHERE terms MATCH ? ORDER BY rank",
  );
  let languages: readonly Language[] | undefined;
  return {
    find: (question, accepts, limit) => {
      languages ??= languagesIn(database);
      const wanted = questionTerms(question, languages).map((terms) => terms.slice(0, MAX_TERMS));
      const expression = [...new Set(wanted.flat())].map((term) => `"${term}"`).join(" OR ");
      const found: Ranked[] = [];
      if (expression === "") return found;
      for (const { chunk, score, title, heading, body } of ranked.iterate(expression)) {
        if (accepts && !accepts(passages.dataOf(Number(chunk)))) continue;
        const fields = [String(title), String(heading), String(body)];
        const closeness = Math.max(...wanted.map((terms) => nearness(terms, fields)));
        found.push({ chunk: Number(chunk), relevance: Number(score) * closeness });
        if (found.length >= limit) break;
      }
      return found.sort(byRelevance);
    },
    forget: () => {
      languages = undefined;
    },
  };
}

function languagesIn(database: DatabaseSync): readonly Language[] {
  const rows = database.prepare("SELECT DISTINCT language FROM documents ORDER BY language").all();
  const known = rows.flatMap(({ language }) => languageOfTag(String(language)) ?? []);
  return known.length > 0 ? known : ["en"];
}
