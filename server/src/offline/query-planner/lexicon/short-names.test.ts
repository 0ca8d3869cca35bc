import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SemanticColumn, SemanticTable } from "#analytics";
import { shortNames } from "./short-names.ts";

function named(table: string, name: string, type = "INT64", values?: readonly string[]) {
  const column: SemanticColumn = {
    name,
    type,
    description: "",
    synonyms: [],
    tags: [],
    ...(values && { values }),
  };
  const owner: SemanticTable = {
    schema: { path: ["acme", "d", table], columns: [] },
    synonyms: [],
    tags: [],
    columns: [column],
    measures: [],
  };
  return shortNames(owner, column);
}

describe("what a column is called beside its name (CA-66)", () => {
  for (const [name, type, certain] of [
    ["weight_kg", "FLOAT64", "weight"],
    ["mrrCents", "INT64", "mrr"],
    ["market value eur", "INT64", "market value"],
    ["order_qty", "INT64", "order quantity"],
    ["km", "INT64", "km"],
    ["color_g", "STRING", "color g"],
  ] as const)
    it(`calls ${name} (${type}) “${certain}”`, () => {
      assert.ok(named("shipments", name, type).certain.includes(certain));
    });

  it("leaves out the verb of a flag, and of no other column", () => {
    assert.ok(named("patients", "is_smoker", "STRING", ["Y", "N"]).certain.includes("smoker"));
    assert.ok(!named("patients", "has_notes", "STRING", ["none", "some"]).certain.includes("notes"));
  });

  for (const [table, name, type, parts] of [
    ["employees", "annual_salary", "INT64", ["salary", "employees salary"]],
    ["accounts", "countryCode", "STRING", ["country", "code", "accounts code"]],
    ["shipments", "dest_country", "STRING", ["country", "shipments country"]],
    ["items", "list_value", "INT64", ["items value"]],
    ["orders", "shipped_date", "DATE", []],
    ["orders", "customer_id", "INT64", []],
  ] as const)
    it(`takes for ${name} of ${table} the parts ${JSON.stringify(parts)}`, () => {
      assert.deepEqual(named(table, name, type).parts, parts);
    });
});
