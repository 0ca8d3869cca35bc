import { type AuthoredQuery, type Match, matchQuery, nearestQueries } from "../context/example-queries.ts";
import { tokenize } from "../context/tokenizer.ts";
import type { SemanticModel } from "../contract.ts";
import type { Planner, PlanRequest } from "../plan/planner.ts";
import { plain } from "../retrieval/phrases.ts";
import { areSame, canonicalWords } from "./canonical-words.ts";
import { isSameQuery } from "./compiled-queries.ts";
import { modelChanges } from "./model-queries.ts";
import { slotsOf, valuesIn, withResolvedValues } from "./slot-values.ts";
import { changedColumns } from "./staleness.ts";

/** The verified query that answers a question, or why the one that would is not used. */
interface Verified {
  readonly match?: Match;
  /** A sentence for who asked: the query that matches is out of date. */
  readonly stale?: string;
}

interface Search {
  readonly request: PlanRequest;
  readonly authored: readonly AuthoredQuery[];
  /** All that is known of the data, also tables that a question does not point to. */
  readonly whole: SemanticModel;
  /** Compiles questions: those that become the same query ask the same. */
  readonly rules: Planner;
}

/** Queries that are compared by meaning, the nearest first. */
const MAX_COMPARED = 20;
/** Longer questions are compared word by word only. */
const MAX_CHARACTERS = 500;

/**
 * The authored query that asks the same (CA-17): word by word, in other words, or by what the rules compile of the two. The values of its
 * parameters are those of the question. One whose tables have changed since it was verified is not used (CA-39).
 */
export async function findVerified({ request, authored, whole, rules }: Search): Promise<Verified> {
  const { question, model } = request;
  if (authored.length === 0) return {};
  const resolve = (match: Match) => withResolvedValues(match, model);
  const exact = matchQuery(question, authored, resolve);
  if (exact) return unlessStale(exact, whole, request);
  if (question.length > MAX_CHARACTERS) return {};
  for (const query of nearestQueries(question, authored, MAX_COMPARED)) {
    const filled = fill(query, question, model);
    const isSame = filled && (saysTheSame(filled, question, model) || (await isSameQuery(rules, request, filled.text)));
    const match = isSame ? resolve({ query, values: filled.values }) : undefined;
    if (match) return unlessStale(match, whole, request);
  }
  return {};
}

function unlessStale(match: Match, whole: SemanticModel, { defined }: PlanRequest): Verified {
  const changes = [...changedColumns(match.query, whole), ...modelChanges(match.query, defined)];
  if (changes.length === 0) return { match };
  return {
    stale: `The verified query for “${match.query.question}” was not used, because the data has changed since it was verified: ${changes.join(", ")}.`,
  };
}

/** The question of an authored query with the values of another question. */
interface FilledQuestion {
  readonly text: string;
  readonly values: Match["values"];
}

const SLOT = /[@{]\{?(\w+)\}?\}?/g;

function fill(query: AuthoredQuery, question: string, model: SemanticModel): FilledQuestion | undefined {
  const names = [...new Set([...query.question.matchAll(SLOT)].map(([, name = ""]) => name))];
  const taken = new Set<number>();
  const values: Match["values"][number][] = [];
  for (const slot of slotsOf(query, names, model)) {
    const found = valuesIn(slot, question, model).find(({ at }) => !taken.has(at));
    if (!found) return undefined;
    taken.add(found.at);
    values.push({ name: slot.name, type: slot.type, value: found.value });
  }
  const text = query.question.replace(SLOT, (_, name) => values.find((one) => one.name === name)?.value ?? "");
  return { text, values };
}

/** Numbers and signs of comparison, which texts without punctuation have in part. */
function signsOf(text: string): string {
  const signs = tokenize(text).filter(({ kind }) => kind === "symbol" || kind === "number");
  return signs.map(({ stem }) => stem).join(" ");
}

function saysTheSame({ text }: FilledQuestion, question: string, model: SemanticModel): boolean {
  if (plain(text) === plain(question) && signsOf(text) === signsOf(question)) return true;
  return areSame(canonicalWords(text, model), canonicalWords(question, model));
}
