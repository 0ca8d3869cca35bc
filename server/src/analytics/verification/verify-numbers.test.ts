import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ResultSet } from "#warehouse";
import { numberStyleOf } from "./number-style.ts";
import { verifyFinding, verifyNumbers } from "./verify-numbers.ts";

const RESULT: ResultSet = {
  columns: [
    { name: "region", type: "STRING", mode: "NULLABLE" },
    { name: "revenue", type: "NUMERIC", mode: "NULLABLE" },
    { name: "share", type: "FLOAT64", mode: "NULLABLE" },
    { name: "day", type: "DATE", mode: "NULLABLE" },
  ],
  rows: [
    ["North", "1234567.891", "0.4231", "2025-03-31"],
    ["South", "-98.5", null, "2025-04-30"],
  ],
  truncated: false,
  durationMs: 1,
};

const removed = (text: string, ...known: readonly string[]) => verifyNumbers(text, [RESULT], known).removed;

describe("the numbers of an answer", () => {
  it("stand as they are in the rows, rounded, grouped, scaled, in percent, with the sign in words", () => {
    for (const text of [
      "North made 1,234,567.891.",
      "North made £1,234,568 in March.",
      "North made about 1.23 million.",
      "North made 1235k.",
      "That is 42.3%, or 42 percent.",
      "South fell by 98.5.",
      "It ended on 2025-03-31.",
      "There are 2 rows.",
      "Nothing here is counted.",
    ]) {
      assert.deepEqual(removed(text), [], text);
    }
  });

  it("stand beside the label of their row, in whatever order the two are told", () => {
    const rows = [
      ["North", "120", "0.4", "2025-03-31"],
      ["South", "75", "0.6", "2025-04-30"],
    ];
    const told = (text: string) => verifyNumbers(text, [{ ...RESULT, rows }], []).removed;
    for (const text of [
      "North made 120 and South 75.",
      "120 came from North, 75 from South.",
      "North and South made 120 and 75.",
    ])
      assert.deepEqual(told(text), [], text);
    for (const text of ["North made 75 and South 120.", "South leads with 120."])
      assert.deepEqual(told(text), [text], text);
  });

  it("may repeat what was asked", () => {
    assert.deepEqual(removed("These are the top 5 of 2024.", "top 5 regions in 2024"), []);
    assert.deepEqual(removed("These are the top 5 of 2024."), ["These are the top 5 of 2024."]);
  });

  it("are taken out with their sentence where no row has them", () => {
    assert.deepEqual(verifyNumbers("North leads with 1,234,567.89. South lost 12,000. Well done.", [RESULT], []), {
      text: "North leads with 1,234,567.89. Well done.",
      removed: ["South lost 12,000."],
    });
    assert.deepEqual(removed("North made 1.24 million."), ["North made 1.24 million."]);
    assert.deepEqual(removed("That is 43%."), ["That is 43%."]);
  });

  it("are found in whatever way they are written", () => {
    for (const text of [
      "North made twenty-three thousand.",
      "South lost a dozen orders.",
      "North made USD5000.",
      "It lies between 10–20.",
      "It lies between 10 and 20.",
      "North doubled.",
      "About half of it is North's.",
      "Two thirds came from North.",
      "It is three times as much.",
      "Together they made 1,234,469.39.",
      "It ended on 30 March 2025.",
      "It ended on 2025-03-30.",
      "It began in February 2025.",
      "It fell by 3 percent.",
      "That is 31%.",
      "That is 2 %.",
      "South was 17th.",
      "North made -1,234,568.",
      "North made 1.2e9.",
      "North made ５５５.",
      "North made ٥٥٥.",
      "North made 1 234 568.",
      "Q3 was best.",
      "It takes ½ of it.",
      "There were 31 stores.",
    ]) {
      assert.deepEqual(removed(text), [text], text);
    }
  });

  it("of dates, parts and places stand where the rows bear them out", () => {
    for (const text of [
      "It ended on 31 March 2025.",
      "It ended on March 31st, 2025.",
      "It began in March 2025.",
      "Q1 2025 was best, Q2 followed.",
      "The top two are North and South.",
      "South was 2nd.",
      "One of them is North.",
      "North made 1'234'568.",
      "South had −98.5.",
    ]) {
      assert.deepEqual(removed(text), [], text);
    }
    const halves = { ...RESULT, rows: [["North", "5", "0.5", "2025-03-31"]] };
    assert.deepEqual(verifyNumbers("Half of it is North's.", [halves], []).removed, []);
  });

  /** Rows of one result with a label, and sentences that tell them rightly and wrongly. */
  const SALES: ResultSet = {
    ...RESULT,
    columns: ["region", "orders", "returned", "revenue"].map((name) => ({
      ...{ name, type: name === "region" ? "STRING" : "NUMERIC", mode: "NULLABLE" as const },
    })),
    rows: [
      ["North", "304", "38", "1234.56"],
      ["South", "76", "19", "2500000"],
    ],
  };
  const MONTHS: ResultSet = {
    ...RESULT,
    columns: ["month", "orders"].map((name, at) => ({ name, type: at === 0 ? "DATE" : "INT64", mode: "NULLABLE" })),
    rows: [
      ["2024-03-01", "120"],
      ["2024-04-01", "150"],
    ],
  };
  const SINGLE: ResultSet = {
    ...RESULT,
    columns: ["returned", "orders"].map((name) => ({ name, type: "INT64", mode: "NULLABLE" })),
    rows: [["12", "100"]],
  };
  const TEXTS: ResultSet = {
    ...RESULT,
    columns: ["day", "amount"].map((name) => ({ name, type: "STRING", mode: "NULLABLE" })),
    rows: [
      ["March 3rd 2024", "1.234,56 €"],
      ["4/5/2024", "$130.75"],
    ],
  };

  const HOLDS: readonly (readonly [
    what: string,
    result: ResultSet,
    right: readonly string[],
    wrong: readonly string[],
  ])[] = [
    [
      "with a decimal comma",
      SALES,
      [
        "Der Umsatz im North war 1.234,56 €.",
        "North: 1.234,6 und South: 2.500.000.",
        "Im North waren es 1.235 Euro, das ist die kleinere Zahl.",
        "North : 1 234,56 € et South : 2 500 000 €.",
      ],
      ["Der Umsatz im North war 1.243,56 €.", "North: 2.500.000 und South: 1.234,56."],
    ],
    [
      "in words",
      SALES,
      [
        "North had three hundred and four orders.",
        "North and South had three hundred and four and seventy-six.",
        "South made two million five hundred thousand.",
        "South had nineteen of its seventy six orders returned.",
      ],
      ["North had three hundred and five orders.", "South had three hundred and four orders.", "North had two dozen."],
    ],
    [
      "as percentages of two cells",
      SALES,
      [
        "12.5 % of the orders of North were returned, and 25 percent of South.",
        "80% of the orders are North's.",
        "In North 38 of 304 orders were returned, 12.5 %.",
        "Ein Viertel: South 25 %, North 12,5 %.",
      ],
      ["12.5 % of the orders of South were returned.", "81% of the orders are North's.", "40% were returned."],
    ],
    [
      "as a change between two rows",
      MONTHS,
      ["Orders rose by 25% from March 2024 to April 2024.", "March 2024 had 120 orders, April 2024 150."],
      ["Orders rose by 26% from March 2024 to April 2024.", "March 2024 had 150 orders, April 2024 120."],
    ],
    ["of one row", SINGLE, ["12 % were returned.", "12 of 100 were returned, that is 12%."], ["13 % were returned."]],
    [
      "as dates in whatever form",
      TEXTS,
      [
        "It was 1,234.56 on March 3rd 2024.",
        "On 2024-03-03 it was 1234.56.",
        "Am 3. März 2024 waren es 1.234,56 €.",
        "El 3 de marzo de 2024 fue 1.234,56 €.",
        "On the 3rd of March, 2024, and on 4/5/2024.",
      ],
      ["It was 1,234.56 on March 4th 2024.", "Am 3. April 2024 waren es 1.234,56 €."],
    ],
  ];
  for (const [what, result, right, wrong] of HOLDS) {
    it(`are bound to their row: ${what}`, () => {
      for (const text of right) assert.deepEqual(verifyNumbers(text, [result], []).removed, [], text);
      for (const text of wrong) assert.deepEqual(verifyNumbers(text, [result], []).removed, [text], text);
    });
  }

  /** Orders whose columns have values and names of columns in their names. */
  const ORDERS: ResultSet = {
    ...RESULT,
    columns: ["order_id", "store_id", "ordered_at", "channel", "web"].map((name) => ({
      ...{ name, mode: "NULLABLE" as const },
      type: name === "channel" ? "STRING" : name === "ordered_at" ? "TIMESTAMP" : "INT64",
    })),
    rows: [
      ["14378", "1", "2026-06-30T10:00:00", "Web", "7"],
      ["14377", "3", "2026-06-30T09:00:00", "Store", "0"],
      ["14376", "1", "2026-06-29T09:00:00", "Web", "4"],
    ],
  };

  it("are read beside the names of columns that have values in them", () => {
    const told = (text: string) => verifyNumbers(text, [ORDERS], []).removed;
    for (const text of [
      "- 2026-06-30T10:00:00, Web: order id **14378**, store id **1**",
      "Order id 14376, store_id 1.",
      "Store id 1 has the order id 14378.",
      "Order 14377 came by Store, store id 3, web 0.",
      "Order id 14378, store id 1 and web 7.",
    ])
      assert.deepEqual(told(text), [], text);
    for (const text of [
      "2026-06-30T10:00:00, Web: order id **14378**, store id **3**",
      "Order id 14378, store id 2.",
      "Order id 14378 (store id 3).",
      "Store: order id 14378.",
    ])
      assert.deepEqual(told(text), [text], text);
  });

  it("are no share of a column that was read in part", () => {
    const text = "80% of the orders are North's.";
    for (const [result, sql] of [
      [SALES, "SELECT region FROM sales LIMIT 2"],
      [{ ...SALES, truncated: true }, ""],
    ] as const)
      assert.deepEqual(verifyNumbers(text, [result], [sql]).removed, [text]);
  });

  it("are read by whole words of the language", () => {
    assert.equal(numberStyleOf("Die Gewinnmitteilung im Inland: 1.234"), "comma");
    assert.equal(numberStyleOf("The profit is 1.234"), "point");
  });

  it("are read in an answer that is one long number", () => {
    for (const text of [`1.${"0".repeat(100_000)},0`, `1${",000".repeat(50_000)}0`])
      assert.equal(numberStyleOf(text), "point");
    assert.equal(numberStyleOf(`1${".000".repeat(50_000)} and 1,5`), "comma");
  });

  it("of a program are computed, not written into it", () => {
    const code = 'def analyze(results):\n    return {"text": f"It is {mean}. It was 4711."}';
    assert.equal(verifyFinding("It is 12.34. It was 4711.", [RESULT], code), "It is 12.34.");
  });

  it("of a list's lines are no statement, what stands behind them is", () => {
    const text = "1. North: 1,234,568\n2. South: 77";
    assert.deepEqual(verifyNumbers(text, [RESULT], []), { text: "1. North: 1,234,568", removed: ["South: 77"] });
  });
});
