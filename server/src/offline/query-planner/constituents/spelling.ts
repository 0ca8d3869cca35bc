import type { Lexicon, Phrase } from "../lexicon/meaning.ts";

/** Shorter words have too many neighbours. */
const MIN_LENGTH = 5;
/** From this length on the edit distance may be two. */
const LONG = 8;

/** "played" is no misspelled "player". */
const VERB = /(ed|ing)$/;

/** The name of a table, column or measure that a word misspells; undefined where none or several are equally near. */
export function correctSpelling(word: string, lexicon: Lexicon): Phrase | undefined {
  if (word.length < MIN_LENGTH) return undefined;
  const most = word.length >= LONG ? 2 : 1;
  const near = namesOf(lexicon).flatMap(({ name, phrase }) => {
    if (name[0] !== word[0] || (VERB.test(word) && !VERB.test(name))) return [];
    const distance = editDistance(word, name, most);
    return distance <= most ? [{ phrase, distance }] : [];
  });
  const nearest = Math.min(...near.map(({ distance }) => distance));
  const best = near.filter(({ distance }) => distance === nearest);
  return best.length === 1 ? best[0]?.phrase : undefined;
}

interface Name {
  readonly name: string;
  readonly phrase: Phrase;
}

/** Names of a lexicon, which has far more values than names. */
const known = new WeakMap<Lexicon, readonly Name[]>();

function namesOf(lexicon: Lexicon): readonly Name[] {
  let names = known.get(lexicon);
  if (!names) {
    names = [...lexicon.values()]
      .flat()
      .filter(({ meanings, isPart }) => !isPart && meanings.some(({ kind }) => kind !== "value"))
      .map((phrase) => ({ name: phrase.stems.join(""), phrase }))
      .filter(({ name }) => name.length >= MIN_LENGTH);
    known.set(lexicon, names);
  }
  return names;
}

/** Damerau-Levenshtein distance; `most + 1` for any greater than `most`. */
function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= left.length; row++) {
    const cells = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      cells.push(
        Math.min(
          (rows[row - 1]?.[column] ?? 0) + 1,
          (cells[column - 1] ?? 0) + 1,
          (rows[row - 1]?.[column - 1] ?? 0) + (same ? 0 : 1),
          ...(swapped ? [(rows[row - 2]?.[column - 2] ?? 0) + 1] : []),
        ),
      );
    }
    rows.push(cells);
  }
  return Math.min(rows.at(-1)?.at(-1) ?? 0, most + 1);
}
