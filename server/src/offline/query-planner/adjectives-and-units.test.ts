import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedTables } from "./__fixtures__/asked-tables.ts";

const FILES = {
  players: "player_id,player_name,sex,height_cm,team\n1,Ann,F,171,Red\n2,Ben,M,193,Red\n3,Cid,M,188,Blue\n",
  goals: "goal_id,player_id,minute\n1,2,5\n2,2,80\n3,1,33\n",
  calls: "call_id,duration_ms,cost_eur,setup_ms\n1,20000,1,5\n2,20001,2,7\n3,500,3,9\n",
  targets: "region,target\nNorth,5\nSouth,4\nTotal,9\n",
  readings: "reading_id,temp_min,temp_max,alarms_per_day\n1,3,9,2\n2,7,20,8\n",
  parcels: "parcel_id,weight_kg\n1,3\n2,26\n3,25\n",
} as const;

describe("adjectives that compare, and units behind numbers (CA-73)", () => {
  const tables = askedTables(FILES, new Date("2026-07-01T00:00:00Z"));

  for (const [question, first] of [
    ["players taller than 190 cm", ["2"]],
    ["players taller than 1.9 m", ["2"]],
    ["how many players taller than 180 cm are there?", ["2"]],
    ["tallest player", ["Ben"]],
    ["top 2 tallest players", ["Ben", "Cid"]],
    ["parcels over 25 kg", ["2"]],
    ["parcels heavier than 25000 g", ["2"]],
    ["heaviest parcel", ["2"]],
    ["lightest parcel", ["1"]],
    ["calls longer than 20 seconds", ["2"]],
    ["calls with a duration over 20 seconds", ["2"]],
    ["longest duration", ["20001"]],
    ["calls over 2 euros", ["3"]],
    ["top 1 players by goals", ["Ben"]],
    ["how many women play", undefined],
    ["women by team", ["Red"]],
  ] as const)
    it(first ? `answers “${question}”` : `refuses “${question}”`, async () => {
      if (!first) {
        tables.refusal(question);
        return;
      }
      const { rows } = await tables.answer(question);
      assert.deepEqual(
        rows.map(([cell]) => cell),
        first,
      );
    });

  for (const [question, rows, doubt] of [
    [
      "target by region",
      [
        ["Total", "9"],
        ["North", "5"],
        ["South", "4"],
      ],
      /region is Total may be a sum of other rows/,
    ],
    ["total target", [["18"]], /say “without Total”/],
    ["total target without Total", [["9"]], /^$/],
    ["how many targets are there?", [["3"]], /region is Total/],
  ] as const)
    it(`adds up the number that a table is called by, and tells of a row of sums: “${question}” (CA-74)`, async () => {
      const { rows: found, warnings } = await tables.answer(question);
      assert.deepEqual(found, rows);
      assert.match(warnings.filter((one) => one.includes("Total")).join(" "), doubt);
    });

  for (const [question, why] of [
    ["heaviest player", /know nothing of “heaviest”/],
    ["calls over 5 ms", /may be of duration ms or of setup ms/],
    ["calls over 2 dollars", /“> 2 dollars” is about/],
    ["readings over 5 min", /“> 5 min” is about/],
    ["readings over 5 days", /“> 5 days” is about/],
    ["players with a height over 2 kg", /do not know height cm of players in kg/],
    ["tallest team", /know nothing of “tallest”/],
  ] as const)
    it(`refuses “${question}”`, () => {
      assert.match(tables.refusal(question), why);
    });
});
