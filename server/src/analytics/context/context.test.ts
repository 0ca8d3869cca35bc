import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ContextSchema } from "@frontdesk/protos/gda/context";
import { citationOf } from "../chat/citations.ts";
import type { Turn } from "../chat/turn.ts";
import { authoredQueries, matchQuery, nearestQueries } from "./example-queries.ts";
import { tokenize } from "./tokenizer.ts";
import { parseYamlInstruction } from "./yaml-instruction.ts";

describe("an instruction in YAML", () => {
  it("is read in all the forms in which authors write it", () => {
    const notes = parseYamlInstruction(`
- system_instruction: Be brief.
- tables:
    - table:
        name: shop.orders
        synonyms: purchases, sales orders
        fields:
          - field: { name: status, description: where it stands, synonyms: [state] }
        measures:
          - measure: { name: revenue, exp: SUM(total) }
        golden_queries:
          - golden_query: { natural_language_query: How many?, sql_query: SELECT count(*) FROM orders }
    - name: customers
- relationships:
    - relationship:
        left_table: orders
        right_table: customers
        relationship_columns: [{ left_column: customer_id, right_column: id }]
- glossaries:
    - glossary: { term: AOV, description: average order value }
`);
    assert.deepEqual(
      notes.tables.map(({ name, synonyms, measures }) => ({ name, synonyms, measures })),
      [
        {
          name: "shop.orders",
          synonyms: ["purchases", "sales orders"],
          measures: [{ name: "revenue", expression: "SUM(total)", synonyms: [] }],
        },
        { name: "customers", synonyms: [], measures: [] },
      ],
    );
    assert.deepEqual(notes.relationships, [{ left: "orders", right: "customers", pairs: [["customer_id", "id"]] }]);
    assert.deepEqual(notes.glossary, [{ term: "AOV", meaning: "average order value" }]);
  });

  it("says nothing of the data where it is prose", () => {
    for (const prose of ["", "Answer politely: always.", "a: b: c", "[unclosed", "42", "- - -"]) {
      assert.deepEqual(
        parseYamlInstruction(prose),
        { tables: [], relationships: [], glossary: [], lookerGolden: [] },
        prose,
      );
    }
  });
});

const CONTEXT = create(ContextSchema, {
  exampleQueries: [
    {
      naturalLanguageQuestion: "How many orders came from {city}?",
      query: { case: "sqlQuery", value: "SELECT count(*) FROM orders WHERE city = @city" },
      parameters: [{ name: "city", dataType: "STRING" }],
    },
    { naturalLanguageQuestion: "Revenue by month", query: { case: "sqlQuery", value: "SELECT 1" } },
  ],
  glossaryTerms: [{ displayName: "Umsatz", description: "revenue" }],
});

/** A turn about these words, in the context above. */
const asked = (question: string) =>
  ({ request: { context: CONTEXT }, history: { question } }) as never as Pick<Turn, "request" | "history">;

it("a question of quotation marks that nothing closes has no words", () => {
  assert.deepEqual(tokenize("“".repeat(100_000)), []);
  assert.deepEqual(tokenize("“a “b” c"), [
    { kind: "word", text: "a", stem: "a" },
    { kind: "quoted", text: "b", stem: "" },
    { kind: "word", text: "c", stem: "c" },
  ]);
});

describe("a verified query", () => {
  const queries = authoredQueries(CONTEXT);

  it("answers its own question, however it is spelled, with values for its parameters", () => {
    assert.equal(matchQuery("revenue by months?", queries)?.query.sql, "SELECT 1");
    assert.deepEqual(matchQuery("how many orders came from New York?", queries)?.values, [
      { name: "city", value: "New York", type: "STRING" },
    ]);
  });

  it("takes values as they are spelled, wherever they stand", () => {
    const [query] = authoredQueries(
      create(ContextSchema, {
        exampleQueries: [
          { naturalLanguageQuestion: "Orders of @region in @year?", query: { case: "sqlQuery", value: "SELECT 1" } },
        ],
      }),
    );
    assert.ok(query);
    const values = (question: string) => matchQuery(question, [query])?.values.map(({ value }) => value);
    assert.deepEqual(values("Orders of Nord-Pas de Calais in 2025"), ["Nord-Pas de Calais", "2025"]);
    assert.deepEqual(values('order of "St. Ives" in 2025.'), ["St. Ives", "2025"]);
    assert.equal(values("Orders in 2025"), undefined);
  });

  it("does not answer another question", () => {
    for (const question of ["revenue by week", "How many orders came from?", "How many customers came from York?"]) {
      assert.equal(matchQuery(question, queries), undefined, question);
    }
  });

  it("is an example for a planner, the most similar first", () => {
    assert.deepEqual(
      nearestQueries("monthly revenue", queries, 1).map(({ question }) => question),
      ["Revenue by month"],
    );
  });

  it("is cited over the whole answer, a term of the glossary where it stands, in bytes", () => {
    const match = matchQuery("Revenue by month", queries);
    const turn = asked("Revenue by month");
    const text = "Für März war der Umsatz 3 €.";
    const citation = citationOf(text, { match, ...turn });
    assert.deepEqual(
      citation?.anchors?.map(({ anchorType }) => anchorType?.value),
      [
        { partIndex: 0, startOffsetBytes: 0, endOffsetBytes: Buffer.byteLength(text), sourceIds: ["1"] },
        { partIndex: 0, startOffsetBytes: 19, endOffsetBytes: 25, sourceIds: ["2"] },
      ],
    );
    assert.equal(Buffer.from(text).subarray(19, 25).toString(), "Umsatz");
  });

  it("a term of the question is cited over the whole answer, which does not repeat it", () => {
    const citation = citationOf("3 €", { match: undefined, ...asked("Umsatz im März") });
    assert.deepEqual(
      citation?.sources?.map(({ title }) => title),
      ["Umsatz"],
    );
    const { value } = citation?.anchors?.[0]?.anchorType ?? {};
    assert.deepEqual(value, { partIndex: 0, startOffsetBytes: 0, endOffsetBytes: 5, sourceIds: ["1"] });
    assert.equal(citationOf("3 €", { match: undefined, ...asked("Ausgaben im März") }), undefined);
  });
});
