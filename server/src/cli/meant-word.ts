import { nearestName } from "#base";

/** Words that other programs, or other commands here, have for the same. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["list", "ls"],
  ["get", "show", "describe"],
  ["create", "add", "new", "make"],
  ["update", "edit", "patch"],
  ["delete", "remove", "rm", "del"],
  ["output", "format", "o"],
  ["file", "filename", "f"],
  ["force", "yes", "quiet", "y", "q"],
  ["project", "namespace", "n"],
  ["limit", "page-size", "max"],
];

/** Letters from which on a word is compared by its spelling. */
const PREFIX_LENGTH = 2;

/**
 * The word that was probably meant: one that says the same, the first that begins like it (`list-keys` for `list`), or one that is spelled nearly so.
 * Undefined when there is none.
 */
export function meantWord(word: string, words: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const same = SYNONYMS.find((group) => group.includes(wanted)) ?? [];
  const synonym = words.find((known) => same.includes(known));
  if (synonym !== undefined || wanted.length < PREFIX_LENGTH) return synonym;
  return words.find((known) => known.startsWith(wanted)) ?? nearestName(word, words);
}
