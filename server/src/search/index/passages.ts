import type { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "#base";
import type { RankedPassage } from "./ranked.ts";

/** A passage that matches a query. */
export interface Candidate {
  readonly chunk: number;
  readonly document: number;
  readonly uri: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly data: JsonObject;
  /** Higher is better. Comparable between indexes for the same query. */
  readonly relevance: number;
}

/** Reads passages and their metadata. */
export interface Passages {
  /** Metadata of a passage's document, cached because filters and boosts read it for every candidate. */
  dataOf(chunk: number): JsonObject;
  /** A ranked passage with its text; empty when it was removed. */
  candidate(ranked: RankedPassage): readonly Candidate[];
  /** Must be called after writes. */
  invalidate(): void;
}

/** Passages of an open index. Metadata that was read stays until `invalidate`. */
export function createPassages(database: DatabaseSync): Passages {
  const known = new Map<number, JsonObject>();
  const dataRow = database.prepare("SELECT d.data FROM documents d JOIN chunks c ON c.document = d.id WHERE c.id = ?");
  const row = database.prepare(
    "SELECT c.id, c.document, c.heading, c.text, d.uri, d.title FROM chunks c JOIN documents d ON d.id = c.document WHERE c.id = ?",
  );
  const dataOf = (chunk: number): JsonObject => {
    const data = known.get(chunk) ?? (JSON.parse(String(dataRow.get(chunk)?.data ?? "{}")) as JsonObject);
    known.set(chunk, data);
    return data;
  };
  return {
    dataOf,
    candidate: ({ chunk, relevance }) => {
      const found = row.get(chunk);
      if (!found) return [];
      const { document, uri, title, heading, text } = found;
      return [
        {
          chunk,
          document: Number(document),
          uri: String(uri),
          title: String(title),
          heading: String(heading),
          text: String(text),
          data: dataOf(chunk),
          relevance,
        },
      ];
    },
    invalidate: () => known.clear(),
  };
}
