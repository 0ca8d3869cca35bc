import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definedFields } from "#base";
import { prepareDocuments } from "../documents/prepare-document.ts";
import { SearchIndex } from "./search-index.ts";
import { proximity } from "./word-search.ts";

const document = (title: string, text: string) => {
  const [prepared] = prepareDocuments([{ title, uri: "", sections: [{ heading: "", text }], data: {} }], undefined);
  assert.ok(prepared);
  return prepared;
};

/** An index in memory with a file of one document each. */
async function indexOf(texts: Readonly<Record<string, string>>): Promise<SearchIndex> {
  const index = new SearchIndex(":memory:");
  for (const [path, text] of Object.entries(texts))
    await index.put({ path, stamp: "1" }, { uri: path, documents: [document(path, text)] });
  return index;
}

const urisOf = (index: SearchIndex, query: string, vector?: Float32Array) =>
  index.search({ query, limit: 10, ...definedFields({ vector }) }).map(({ uri }) => uri);

describe("an index", () => {
  it("weights the title above the text", async () => {
    const index = await indexOf({ boots: "About shoes of all kinds.", other: "About boots of all kinds." });
    assert.deepEqual(urisOf(index, "boots"), ["boots", "other"]);
  });

  it("escapes operators of the database in a query", async () => {
    const index = await indexOf({ one: 'NEAR("a" AND b) OR title:c* ^d -e' });
    assert.deepEqual(urisOf(index, 'NEAR("a" b) AND title:c* OR NOT ^ - "'), ["one"]);
    assert.deepEqual(urisOf(index, '"*" ( ^ -'), []);
  });

  it("indexes a file again when writing it was interrupted", async () => {
    const index = new SearchIndex(":memory:");
    const documents = Array.from({ length: 500 }, (_, at) => document(`row ${at}`, "words"));
    const broken = index.put(
      { path: "rows", stamp: "1" },
      { uri: "rows", documents },
      AbortSignal.abort(new Error("stop")),
    );
    await assert.rejects(broken, /stop/);
    assert.deepEqual(
      index.files().map((file) => ({ ...file })),
      [{ path: "rows", stamp: "" }],
    );
    await index.put({ path: "rows", stamp: "1" }, { uri: "rows", documents });
    assert.deepEqual([index.count(), index.files()[0]?.stamp], [500, "1"]);
  });

  it("merges lexical and vector results, and deletes vectors of another model", async () => {
    const index = await indexOf({ money: "Money comes back.", shoes: "Shoes are worn." });
    const embed = (label: string) => {
      const missing = index.withoutVectors(label, 10);
      index.putVectors(
        missing.map(({ chunk, text }) => ({
          chunk,
          vector: Float32Array.from(text.includes("Money") ? [1, 0] : [0, 1]),
        })),
      );
      return missing.length;
    };
    assert.deepEqual([embed("one"), embed("one"), embed("two")], [2, 0, 2]);
    assert.deepEqual(urisOf(index, "refund", Float32Array.from([1, 0.1])), ["money"]);
    assert.deepEqual(urisOf(index, "shoes", Float32Array.from([1, 0.1])).sort(), ["money", "shoes"]);
    assert.deepEqual(urisOf(index, "shoes", Float32Array.from([1, 0, 0])), ["shoes"]);
  });
});

describe("the proximity of a query's terms", () => {
  const of = (text: string) => proximity(["parcel", "servic"], [text]);

  it("grows from one term to both, to both adjacent in order", () => {
    const order = [
      of("parcel"),
      of("parcel x x x x x x x x servic"),
      of("servic parcel"),
      of("parcel x servic"),
      of("parcel servic"),
    ];
    assert.deepEqual(
      order,
      [...order].sort((first, second) => first - second),
    );
    assert.equal(of("parcel servic"), 2.2);
  });
});
