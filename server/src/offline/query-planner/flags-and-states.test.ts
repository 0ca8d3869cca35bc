import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedTables } from "./__fixtures__/asked-tables.ts";

const NOW = new Date("2026-07-01T00:00:00Z");

const FILES = {
  users: "user_id,country,is_premium\n1,DE,1\n2,DE,0\n3,FR,0\n4,FR,0\n",
  events:
    "event_id,user_id,happened_at,kind,page,converted\n1,1,2026-05-01,purchase,/home,1\n2,1,2026-05-02,page view,/home,0\n3,2,2026-05-03,page view,/docs,0\n4,3,2026-06-04,page view,/docs,1\n5,3,2026-06-05,purchase,/docs,0\n",
  staff:
    "staff_id,staff_name,hire_date,birth_date,left_on,status,site\n1,Ada,2020-01-01,1990-05-05,,active,York\n2,Bo,2021-03-01,1980-05-05,2025-01-31,gone,York\n3,Cy,2022-06-01,2000-05-05,,active,Hull\n",
  parcels:
    "parcel_id,sent_on,delivered_on,state,depot_id\n1,2026-01-01,2026-01-03,delivered,1\n2,2026-01-02,2026-01-09,damaged,1\n3,2026-01-05,,in transit,2\n4,2026-01-06,2026-01-08,delivered,2\n",
  depots: "depot_id,depot_name\n1,North\n2,South\n",
} as const;

describe("flags, rates and states of rows", () => {
  const tables = askedTables(FILES, NOW);
  for (const [question, rows] of [
    ["how many premium users are there?", [["1"]]],
    ["how many users are not premium", [["3"]]],
    ["premium users by country", [["DE", "1"]]],
    [
      "users by is premium",
      [
        ["0", "3"],
        ["1", "1"],
      ],
    ],
    ["total converted", [["2"]]],
    [
      "conversion rate by page",
      [
        ["/home", "50"],
        ["/docs", "33.33"],
      ],
    ],
    [
      "page views by page",
      [
        ["/docs", "2"],
        ["/home", "1"],
      ],
    ],
    [
      "number of premium and non premium users",
      [
        ["0", "3"],
        ["1", "1"],
      ],
    ],
  ] as const)
    it(`answers “${question}” of columns of 0 and 1 (CA-70)`, async () => {
      assert.deepEqual((await tables.answer(question)).rows, rows);
    });

  for (const question of ["percentage of damaged parcels by depot", "percentage of damaged by depot"])
    it(`takes “${question}” for a rate in each group, and says so (CA-71)`, async () => {
      const { rows, warnings } = await tables.answer(question);
      assert.deepEqual(rows, [
        ["North", "50"],
        ["South", "0"],
      ]);
      assert.match(warnings.join(" "), /Each percentage is of the parcels of that depot/);
    });

  it("tells the damage rate without a doubt", async () => {
    assert.deepEqual(await tables.answer("damage rate by depot"), {
      rows: [
        ["North", "50"],
        ["South", "0"],
      ],
      warnings: ["parcels and depots are joined by depot_id, which fits by name and values and is declared by nobody."],
    });
  });

  it("takes rows without an end for the current ones, and says so (CA-72)", async () => {
    const { rows, warnings } = await tables.answer("how many current staff are there?");
    assert.deepEqual([rows, warnings], [[["2"]], ["“current” is read as those without left on."]]);
  });

  for (const [question, why] of [
    ["how many staff were active on 1 March 2021?", /“active” is what staff are now, .* hire date and left on/],
    ["active staff by year", /“active” is what staff are now/],
    ["youngest depot", /depots have no date/],
    ["how many depots have not been returned?", /not/],
  ] as const)
    it(`refuses “${question}” (CA-72)`, () => {
      assert.match(tables.refusal(question), why);
    });

  it("takes the date of birth for the age of people", async () => {
    assert.match(JSON.stringify((await tables.answer("oldest staff")).rows), /Bo/);
  });

  it("takes “never” for no such row at all, in a list and in a count (CA-72)", async () => {
    const listed = await tables.answer("users who never purchased");
    assert.deepEqual(
      listed.rows.map(([id]) => id),
      ["2", "4"],
    );
    assert.deepEqual((await tables.answer("how many users never purchased?")).rows, [["2"]]);
  });

  it("tells that a state is not a missing time", async () => {
    assert.match((await tables.answer("parcels not delivered")).warnings.join(" "), /say “missing delivered on”/);
  });
});
