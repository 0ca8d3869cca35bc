import type { SemanticModel, Token } from "#analytics";
import { lexiconOf } from "../lexicon/build-lexicon.ts";
import { computedOf } from "../lexicon/computed.ts";
import { columnLabel, isAboutPeople } from "../lexicon/names.ts";
import { isUnit } from "../lexicon/units.ts";
import { readComparison } from "./comparisons.ts";

/** Nobody is older. */
export const OLDEST = 120;

/** "patients over 65", "women between 20 and 30": directly behind people a number without a unit is of their age (CA-109). */
export function peopleOver(tokens: readonly Token[], at: number, model: SemanticModel) {
  const read = readComparison(tokens, at);
  const bound = read?.constituent;
  if (
    !read ||
    (bound?.kind !== "compare" && bound?.kind !== "between") ||
    !/^(over|under|above|below|between)$/.test(tokens[at]?.stem ?? "")
  )
    return undefined;
  const most = bound.kind === "compare" ? bound.value : bound.high;
  const next = tokens[at + read.length];
  const isPlain = !next || (next.kind === "word" && !isUnit(next.text) && !lexiconOf(model).has(next.stem));
  if (most > OLDEST || !isPlain || !hasAge(model) || !isOfPeople(tokens[at - 1], model)) return undefined;
  const age: Token = { kind: "word", text: "", stem: "age" };
  return { tokens: [age, ...tokens.slice(at, at + read.length)], length: read.length };
}

/** Whether "age" is a number of people. */
function hasAge(model: SemanticModel): boolean {
  const meanings = (lexiconOf(model).get("age") ?? []).filter(({ stems }) => stems.length === 1);
  return meanings.some((phrase) =>
    phrase.meanings.some(
      (one) =>
        one.kind === "column" &&
        isAboutPeople(one.table) &&
        (computedOf(one.column)?.kind === "age" || columnLabel(one.table, one.column) === "age"),
    ),
  );
}

/** "patients", "women": a table of people, or a sex. */
function isOfPeople(token: Token | undefined, model: SemanticModel): boolean {
  const phrases = (lexiconOf(model).get(token?.stem ?? "") ?? []).filter(({ stems }) => stems.length === 1);
  return phrases.some(({ meanings }) =>
    meanings.some(
      (one) =>
        (one.kind === "table" && isAboutPeople(one.table)) ||
        (one.kind === "value" &&
          isAboutPeople(one.table) &&
          /\b(sex|gender)\b/.test(columnLabel(one.table, one.column))),
    ),
  );
}
