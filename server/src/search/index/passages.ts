import type { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "#base";
import type { Ranked } from "./ranked.ts";
import type { Candidate } from "./search-index.ts";

/** Reads what is known of passages. */
export interface Passages {
  /** What is known of a passage's document. Kept once read: filters and boosts look at every candidate. */
  dataOf(chunk: number): JsonObject;
  /** A passage as it is answered; none when it is gone. */
  candidate(ranked: Ranked): readonly Candidate[];
  /** Something was written. */
  forget(): void;
}

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
    forget: () => known.clear(),
  };
}
