import { nearestName } from "#base";

/** Words that other programs, or other commands here, have for the same. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["list", "ls"],
  ["get", "show", "describe"],
  ["create", "add", "new", "make"],
  ["update", "edit", "patch"],
  ["delete", "remove", "rm", "del"],
];

/** Letters from which on the beginning of a word is meant as such. */
const PREFIX_LENGTH = 2;

/**
 * The word that was probably meant: one that says the same, the first that begins like it (`list-keys` for `list`), or one that is spelled nearly so.
 * Undefined when there is none.
 */
export function meantWord(word: string, words: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const same = SYNONYMS.find((group) => group.includes(wanted)) ?? [];
  return (
    words.find((known) => same.includes(known)) ??
    words.find((known) => wanted.length >= PREFIX_LENGTH && known.startsWith(wanted)) ??
    nearestName(word, words)
  );
}
