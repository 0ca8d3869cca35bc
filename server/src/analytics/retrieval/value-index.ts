import type { TablePath } from "#warehouse";
import type { FoundValue } from "../contract.ts";
import { phrasesOf, plain } from "./phrases.ts";

/** Finds the values of all profiled tables that a text names. */
interface ValueIndex {
  /** Replaces the values of a table. `table`: the key of its profile. */
  put(table: string, columns: Readonly<Record<string, readonly string[]>>): void;
  remove(table: string): void;
  /** Values that the text names, the longest first; values inside a longer one are left out. `tables`: where to look. */
  find(text: string, tables: ReadonlyMap<string, TablePath>): readonly FoundValue[];
}

interface Entry {
  readonly table: string;
  readonly column: string;
  readonly value: string;
}

/** Values that one text may name, at most: each may become a line of a prompt. */
const MAX_FOUND = 50;
/** Tables and columns that have the same value, at most. */
const MAX_HOMES = 20;
/** A longer value is no name that a question repeats. */
const MAX_VALUE = 80;
const MAX_WORDS = 8;

/** Creates an index of values in memory; who fills it bounds it. */
export function createValueIndex(): ValueIndex {
  const byPhrase = new Map<string, Entry[]>();
  const phrasesOfTable = new Map<string, readonly string[]>();

  function remove(table: string): void {
    for (const phrase of phrasesOfTable.get(table) ?? []) {
      const rest = byPhrase.get(phrase)?.filter((entry) => entry.table !== table) ?? [];
      if (rest.length > 0) byPhrase.set(phrase, rest);
      else byPhrase.delete(phrase);
    }
    phrasesOfTable.delete(table);
  }

  function put(table: string, columns: Readonly<Record<string, readonly string[]>>): void {
    remove(table);
    const phrases = new Set<string>();
    for (const [column, values] of Object.entries(columns)) {
      for (const value of values) {
        const phrase = value.length > MAX_VALUE ? "" : plain(value);
        if (!isName(phrase)) continue;
        phrases.add(phrase);
        const entries = byPhrase.get(phrase);
        if (entries) entries.push({ table, column, value });
        else byPhrase.set(phrase, [{ table, column, value }]);
      }
    }
    phrasesOfTable.set(table, [...phrases]);
  }

  return {
    put,
    remove,
    find(text, tables) {
      const found: FoundValue[] = [];
      const covered = new Set<number>();
      for (const { phrase, at } of phrasesOf(text)) {
        const words = Array.from({ length: phrase.split(" ").length }, (_, offset) => at + offset);
        if (words.some((place) => covered.has(place))) continue;
        const homes = (byPhrase.get(phrase) ?? []).flatMap(({ table, column, value }) => {
          const path = tables.get(table);
          return path ? [{ table: path, column, value }] : [];
        });
        if (homes.length === 0) continue;
        for (const place of words) covered.add(place);
        found.push(...homes.slice(0, MAX_HOMES));
        if (found.length >= MAX_FOUND) break;
      }
      return found.slice(0, MAX_FOUND);
    },
  };
}

/** One letter or a short number is no name. */
function isName(phrase: string): boolean {
  return phrase.length > 1 && !/^\d{1,3}$/.test(phrase) && phrase.split(" ").length <= MAX_WORDS;
}
