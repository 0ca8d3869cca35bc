import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedTables } from "./__fixtures__/asked-tables.ts";

const NOW = new Date("2026-07-01T00:00:00Z");

const FILES = {
  ports: "port_id,port_name,country\n1,Hamburg,Germany\n2,Santos,Brazil\n3,Bremen,Germany\n",
  shipments:
    "shipment_id,origin_port_id,destination_port_id,booked_on,due_on,freight,cost\n1,1,2,2026-05-01,2026-05-04,10,5\n2,1,2,2026-05-02,2026-05-02,20,30\n3,2,1,2026-05-03,2026-05-01,40,20\n4,3,1,2026-06-01,,80,70\n5,2,3,2026-06-02,2026-06-09,160,200\n",
} as const;

type Rows = readonly (readonly string[])[];

/** A reference that the database declares. */
function reference(column: string) {
  return {
    left: ["acme", "d", "shipments"],
    leftColumns: [column],
    right: ["acme", "d", "ports"],
    rightColumns: ["port_id"],
  };
}

describe("columns compared with each other, and totals of what was split", () => {
  const keys = { ports: "port_id", shipments: "shipment_id" } as const;
  const tables = askedTables(FILES, NOW, (model) => ({
    ...model,
    tables: model.tables.map((table) => {
      const key = keys[table.schema.path.at(-1) as keyof typeof keys];
      return { ...table, schema: { ...table.schema, primaryKey: [key] } };
    }),
    relationships: [reference("origin_port_id"), reference("destination_port_id")],
  }));

  function queryOf(...questions: readonly string[]) {
    const found = tables.ask(...questions);
    assert.ok(found.kind === "query", JSON.stringify(found));
    return found.query;
  }

  // Shipment 4 has no day on which it is due, so that it is neither of two compared days (CA-110).
  for (const [question, count] of [
    ["how many shipments where origin country is destination country", "1"],
    ["how many shipments whose origin country is the same as the destination country", "1"],
    ["number of shipments where origin country and destination country are the same", "1"],
    ["how many shipments where the origin country equals the destination country", "1"],
    ["how many shipments where origin country differs from destination country", "4"],
    ["how many shipments where origin country is not the destination country", "4"],
    ["how many shipments where freight is greater than cost", "3"],
    ["how many shipments with freight above cost", "3"],
    ["how many shipments where freight < cost", "2"],
    ["how many shipments where booked on is later than due on", "1"],
    ["how many shipments where due on is after booked on", "2"],
    ["how many shipments where booked on = due on", "1"],
    ["how many shipments where booked on <> due on", "3"],
    ["how many shipments had a cost higher than freight in May 2026", "1"],
    ["freight where origin country is not destination country", "230"],
  ] as const)
    it(`compares in “${question}”`, async () => {
      assert.deepEqual((await tables.answer(question)).rows, [[count]]);
    });

  it("says in words what it compares", () => {
    const { understanding } = queryOf("how many shipments where origin country is destination country");
    assert.equal(understanding, "Number of shipments, origin port country = destination port country.");
  });

  it("compares numbers with no words of times", () => {
    for (const question of ["freight before cost", "average freight after cost"]) {
      const found = tables.ask(question);
      assert.doesNotMatch(found.kind === "query" ? found.query.understanding : "", /[<>]/);
    }
  });

  it("does not take totals for numbers of rows", () => {
    assert.match(tables.refusal("shipments where total freight is more than total cost"), /more than/);
  });

  it("asks for a chart of numbers of one kind, and of no count beside an amount (CA-114)", () => {
    assert.deepEqual(queryOf("freight and cost by origin port").chart?.beside, ["total_cost"]);
    assert.equal(queryOf("freight and number of shipments by month").chart?.beside, undefined);
  });

  // The split of the question before is not one of the whole (CA-111).
  const WHOLES: readonly (readonly [before: string, question: string, rows: Rows, doubts?: RegExp])[] = [
    ["freight by month", "and in total?", [["310"]]],
    ["freight by origin port", "what is the total?", [["310"]]],
    ["freight by origin port", "overall?", [["310"]]],
    ["freight by origin port", "and how many in total?", [["5"]]],
    ["number of shipments by origin port in May 2026", "and how many in total?", [["3"]]],
    ["top 2 origin ports by freight", "and in total?", [["310"]], /of all, and not only of those/],
    [
      "freight by origin port",
      "and how much in June 2026?",
      [
        ["Santos", "160"],
        ["Bremen", "80"],
      ],
    ],
  ];
  for (const [first, question, rows, doubts] of WHOLES)
    it(`answers “${question}” after “${first}”`, async () => {
      const answer = await tables.answer(first, question);
      assert.deepEqual(answer.rows, rows);
      if (doubts) assert.match(answer.warnings.join(" "), doubts);
    });
});
