import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedTables } from "../__fixtures__/asked-tables.ts";

const NOW = new Date("2026-11-29T00:00:00Z");

const FILES = {
  wards: "ward_id,name\n1,North\n2,South\n",
  patients:
    "patient_id,dob,sex,ward_id,is_insured\n1,1950-02-01,F,1,Y\n2,2001-03-04,M,2,N\n3,1988-07-07,F,1,Y\n4,1970-01-01,M,2,N\n",
  stays:
    "stay_id,patient_id,admitted_on,left_on,kind,urgent,charge,manager_id,role\n1,1,2026-01-03,2026-01-05,elective,true,10,7,Manager\n2,2,2026-02-03,2026-03-01,emergency,false,20,8,Nurse\n",
} as const;

describe("words and parts of a question that must not be left out (CA-65)", () => {
  const tables = askedTables(FILES, NOW);

  for (const [question, why] of [
    [
      "how many patients died",
      /I do not understand “died”, .*Rows of patients can be chosen by sex \(F, M\), is insured/,
    ],
    ["how many big patients", /I do not understand “big”/],
    ["late emergency stays by ward", /I do not understand “late”/],
    ["stays excluding the late ones by kind", /“not”|“late”/],
    ["how many stays ended in 2026", /If “ended” is a time of stays, name which: admitted on, left on/],
    ["number of stays by kind and invoice value", /“value”/],
    ["total stay amount by kind", /“amount”/],
    ["busiest weekday", /By what should each weekday be ranked\?.*“which weekday has the most patients”/],
    ["stays not left in June 2026", /would answer the opposite/],
    ["stays without charge", /Rows without charge may have none stored, or zero/],
    ["stays more urgent than Nurse", /“than”|“more/],
    ["first stays by month", /“first”/],
    ["does North have more patients than South", /“than”/],
  ] as const)
    it(`refuses “${question}”, because without a word of it the number is another one`, () => {
      const found = tables.ask(question);
      assert.equal(found.kind, "reply", JSON.stringify(found));
      assert.match(found.kind === "reply" ? found.text : "", why);
    });

  it("offers what it understood", () => {
    const found = tables.ask("how many patients died");
    assert.deepEqual(found.kind === "reply" && found.followUps, ["Number of patients"]);
  });

  it("tells of a word that only introduces a value", () => {
    const found = tables.ask("how many stays with category emergency");
    assert.ok(found.kind === "query", JSON.stringify(found));
    assert.match(found.query.sql, /"kind" = 'emergency'/);
    assert.deepEqual(found.query.warnings, ["I did not understand “category” and left it out."]);
  });

  for (const [question, sql] of [
    ["who is the oldest patient", /GROUP BY "patients"\."patient_id".*ORDER BY min\("patients"\."dob"\) ASC/s],
    ["oldest patient", /GROUP BY "patients"\."patient_id".*ORDER BY min\("patients"\."dob"\) ASC/s],
    ["youngest patient", /GROUP BY "patients"\."patient_id".*ORDER BY max\("patients"\."dob"\) DESC/s],
    ["ward with the lowest charge", /GROUP BY "wards"\."ward_id".*ORDER BY sum\("stays"\."charge"\) ASC/s],
    ["lowest charge ward", /GROUP BY "wards"\."ward_id".*ORDER BY sum\("stays"\."charge"\) ASC/s],
    ["stays by month and ward", /GROUP BY date_trunc\('month', [^)]*\)::DATE, "wards"\."ward_id"/],
    ["charge by kind and month", /GROUP BY date_trunc\('month', [^)]*\)::DATE, "stays"\."kind"/],
    ["left by month", /SELECT date_trunc\('month', "stays"\."left_on"\).*count\(\*\) AS "number_of_stays"/s],
    ["how many urgent stays", /count\(\*\).*"urgent" = TRUE$/s],
    ["how many stays that are not urgent", /count\(\*\).*"urgent" = FALSE$/s],
    ["insured patients", /SELECT "patients"\.\*.*"is_insured" = 'Y'/s],
    ["patients by is insured", /GROUP BY "patients"\."is_insured"/],
    ["stays by manager", /GROUP BY "stays"\."manager_id"/],
    ["most common kind", /count\(\*\).*GROUP BY "stays"\."kind".*ORDER BY count\(\*\) DESC/s],
    ["first stay", /GROUP BY "stays"\."stay_id".*ORDER BY min\("stays"\."admitted_on"\) ASC/s],
    ["last stay", /GROUP BY "stays"\."stay_id".*ORDER BY max\("stays"\."admitted_on"\) DESC/s],
    ["when was the first stay", /^SELECT min\("stays"\."admitted_on"\)/],
    ["latest left on", /^SELECT max\("stays"\."left_on"\)/],
    ["how many stays have not left", /count\(\*\).*"left_on" IS NULL$/s],
    ["stays with missing charge", /SELECT "stays"\.\*.*"charge" IS NULL/s],
    ["stays other than emergency", /\("stays"\."kind" <> 'emergency' OR "stays"\."kind" IS NULL\)/],
    [
      "stays excluding Manager and Nurse",
      /\("stays"\."role" NOT IN \('Manager', 'Nurse'\) OR "stays"\."role" IS NULL\)/,
    ],
    ["stays without a kind", /\("stays"\."kind" IS NULL OR "stays"\."kind" = ''\)/],
    ["stays with more than 15 charge", /SELECT "stays"\.\*.*"charge" > 15/s],
    ["wards with more than 15 charge", /GROUP BY "wards"\."ward_id".*HAVING sum\("stays"\."charge"\) > 15/s],
    ["average stays per patient", /count\(\*\) \/ nullif\(count\(DISTINCT "patients"\."patient_id"\), 0\)/],
  ] as const)
    it(`leaves out no part of “${question}”`, () => {
      const found = tables.ask(question);
      assert.equal(found.kind, "query", JSON.stringify(found));
      assert.match(found.kind === "query" ? found.query.sql : "", sql);
    });
});
