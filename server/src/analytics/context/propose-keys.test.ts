import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TableSchema } from "#warehouse";
import { proposeKeys } from "./propose-keys.ts";

const table = (name: string, columns: string): TableSchema => ({
  path: ["acme", "d", name],
  columns: columns.split(" ").map((text) => {
    const [column = "", type = "INT64"] = text.split(":");
    return { name: column, type, mode: "NULLABLE" };
  }),
});

/** The proposed relationships as `orders.customer_id=customers.id`. */
function proposed(
  schemas: readonly TableSchema[],
  keys: Readonly<Record<string, readonly string[]>>,
  values: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {},
) {
  const profiles = {
    of: (path: readonly string[]) => ({
      values: values[path.at(-1) ?? ""] ?? {},
      indexed: {},
      ranges: {},
      flags: [],
      keys: keys[path.at(-1) ?? ""] ?? [],
    }),
  };
  const found = proposeKeys(schemas, profiles, []);
  return found.relationships.map(
    ({ left, leftColumns, right, rightColumns }) => `${left.at(-1)}.${leftColumns}=${right.at(-1)}.${rightColumns}`,
  );
}

describe("keys that nobody declares (CA-36)", () => {
  const orders = table("orders", "id customer_id product_code:STRING total");

  it("are found by the same name, by id and the table's name in singular, and by type", () => {
    const schemas = [orders, table("customers", "id name:STRING"), table("products", "product_code:STRING price")];
    const keys = { orders: ["id"], customers: ["id"], products: ["product_code"] };
    assert.deepEqual(proposed(schemas, keys), [
      "orders.customer_id=customers.id",
      "orders.product_code=products.product_code",
    ]);
  });

  it("are found by a role before the name of the key, unless a table has two", () => {
    const stays = table("stays", "stay_id attending_doctor_id");
    const doctors = table("doctors", "doctor_id name:STRING");
    assert.deepEqual(proposed([stays, doctors], { doctors: ["doctor_id"] }), [
      "stays.attending_doctor_id=doctors.doctor_id",
    ]);
    const matches = table("matches", "match_id homeTeamId awayTeamId");
    assert.deepEqual(proposed([matches, table("teams", "id")], { teams: ["id"] }), []);
    const visits = table("visits", "doctor_id second_doctor_id");
    assert.deepEqual(proposed([visits, doctors], { doctors: ["doctor_id"] }), ["visits.doctor_id=doctors.doctor_id"]);
  });

  it("are found by the name of the table", () => {
    const schemas = [table("sales", "id customer"), table("customers", "id name:STRING")];
    assert.deepEqual(proposed(schemas, { customers: ["id"] }), ["sales.customer=customers.id"]);
    const counts = [table("counts", "counter:STRING n"), table("counters", "counter_id:STRING site:STRING")];
    assert.deepEqual(proposed(counts, { counters: ["counter_id"] }), ["counts.counter=counters.counter_id"]);
    const batches = [table("batches", "tank:STRING litres"), table("tanks", "tank:STRING kind:STRING")];
    assert.deepEqual(proposed(batches, { tanks: ["tank"] }), ["batches.tank=tanks.tank"]);
  });

  it("need values in common, where those of both columns are known", () => {
    const schemas = [table("sales", "customer:STRING total"), table("customers", "customer_id:STRING name:STRING")];
    const referring = (sold: readonly string[]) => {
      const known = { sales: { customer: sold }, customers: { customer_id: ["C1", "C2"] } };
      return proposed(schemas, { customers: ["customer_id"] }, known);
    };
    assert.deepEqual(referring(["Hale", "Ito"]), []);
    assert.deepEqual(referring(["C2", "C9"]), ["sales.customer=customers.customer_id"]);
  });

  it("need a column without doubles", () => {
    assert.deepEqual(proposed([orders, table("customers", "id name:STRING")], { orders: ["id"] }), []);
  });

  it("need the same type", () => {
    const schemas = [orders, table("customers", "id:STRING name:STRING")];
    assert.deepEqual(proposed(schemas, { customers: ["id"] }), []);
  });

  it("are none where two tables could be meant", () => {
    const schemas = [orders, table("customers", "customer_id"), table("clients", "customer_id")];
    assert.deepEqual(proposed(schemas, { customers: ["customer_id"], clients: ["customer_id"] }), []);
  });

  it("are none where the tables are joined already", () => {
    const customers = table("customers", "id name:STRING");
    const profiles = { of: () => ({ values: {}, indexed: {}, ranges: {}, flags: [], keys: ["id"] }) };
    const declared = [{ left: orders.path, leftColumns: ["total"], right: customers.path, rightColumns: ["name"] }];
    assert.deepEqual(proposeKeys([orders, customers], profiles, declared).relationships, []);
  });
});
