import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedTables } from "./__fixtures__/asked-tables.ts";

const NOW = new Date("2026-07-01T00:00:00Z");

const FILES = {
  employees:
    "employee_id,full_name,department,salary\n1,Ada,Sales,90000\n2,Ben,Sales,70000\n3,Cleo,IT,50000\n4,Dev,IT,20\n",
  orders: "order_id,employee_id,ordered_on,amount\n1,1,2026-01-01,60\n2,1,2026-01-02,60\n3,3,2026-01-03,90\n",
} as const;

// Aggregates of groups, and not numbers of single rows (CA-112).
const ANSWERED: readonly (readonly [question: string, rows: readonly (readonly string[])[]])[] = [
  ["departments with an average salary over 75000", [["Sales", "80000"]]],
  ["departments with an average salary of at least 80000", [["Sales", "80000"]]],
  ["departments whose average salary is below 75000", [["IT", "25010"]]],
  ["departments with an average salary between 20000 and 30000", [["IT", "25010"]]],
  ["which departments have a total salary over 100000", [["Sales", "160000"]]],
  ["departments with a maximum salary under 60000", [["IT", "50000"]]],
  ["how many departments have an average salary over 75000", [["1"]]],
  ["employees with a total amount over 100", [["Ada", "120"]]],
  ["how many employees have an average amount over 70", [["1"]]],
  ["departments with more than 1 employee and an average salary over 75000", [["Sales", "2", "80000"]]],
  ["departments with an average salary over 75000 and more than 1 employee", [["Sales", "80000", "2"]]],
  ["departments with an average salary over 75000 and more than 2 employees", []],
  ["employees with a salary over 20 and more than 1 order", [["Ada", "2"]]],
];

describe("bounds of groups", () => {
  const tables = askedTables(FILES, NOW);

  for (const [question, rows] of ANSWERED)
    it(`answers “${question}”`, async () => {
      assert.deepEqual((await tables.answer(question)).rows, rows);
    });

  it("refuses an average of one row", () => {
    assert.match(tables.refusal("employees with an average salary over 75000"), /average/);
  });
});
