import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { askedTables } from "./__fixtures__/asked-tables.ts";

const NOW = new Date("2026-07-01T00:00:00Z");

const FILES = {
  ports: "port_id,port_name,country\n1,Hamburg,Germany\n2,Santos,Brazil\n3,Bremen,Germany\n",
  shipments:
    "shipment_id,origin_port_id,destination_port_id,booked_on,freight\n1,1,2,2026-05-01,10\n2,1,2,2026-05-02,20\n3,2,1,2026-05-03,40\n4,3,1,2026-06-01,80\n5,2,3,2026-06-02,160\n",
  employees:
    "employee_id,full_name,manager_id,job_title,salary\n1,Ada Moss,,Director,90\n2,Ben Diaz,1,Manager,70\n3,Cleo Khan,1,Analyst,50\n4,Dev Berg,2,Analyst,40\n",
} as const;

/** A reference that the database declares. */
function reference(from: string, column: string, to: string, key: string) {
  return { left: ["acme", "d", from], leftColumns: [column], right: ["acme", "d", to], rightColumns: [key] };
}

describe("several references to one table (CA-103)", () => {
  const keys = { ports: "port_id", shipments: "shipment_id", employees: "employee_id" } as const;
  const tables = askedTables(FILES, NOW, (model) => ({
    ...model,
    tables: model.tables.map((table) => {
      const key = keys[table.schema.path.at(-1) as keyof typeof keys];
      return { ...table, schema: { ...table.schema, primaryKey: [key] } };
    }),
    relationships: [
      reference("shipments", "origin_port_id", "ports", "port_id"),
      reference("shipments", "destination_port_id", "ports", "port_id"),
      reference("employees", "manager_id", "employees", "employee_id"),
    ],
  }));

  for (const [question, rows] of [
    [
      "shipments by origin port",
      [
        ["Hamburg", "2"],
        ["Santos", "2"],
        ["Bremen", "1"],
      ],
    ],
    [
      "freight by destination country",
      [
        ["Germany", "280"],
        ["Brazil", "30"],
      ],
    ],
    ["how many shipments from Hamburg to Santos", [["2"]]],
    ["how many shipments to Hamburg in May 2026", [["1"]]],
    ["how many shipments from Germany to Brazil", [["2"]]],
    ["how many shipments with origin port Bremen", [["1"]]],
    ["how many shipments where the destination country is Germany", [["3"]]],
    [
      "freight by origin country and destination country",
      [
        ["Brazil", "Germany", "200"],
        ["Germany", "Germany", "80"],
        ["Germany", "Brazil", "30"],
      ],
    ],
    ["which destination port has the highest freight", [["Bremen", "160"]]],
    [
      "ports by country",
      [
        ["Germany", "2"],
        ["Brazil", "1"],
      ],
    ],
    [
      "average salary by manager",
      [
        ["null", "90"],
        ["Ada Moss", "60"],
        ["Ben Diaz", "40"],
      ],
    ],
    ["how many employees without a manager", [["1"]]],
    ["average salary of managers", [["70"]]],
    ["managers with more than 1 employee", [["Ada Moss", "2"]]],
    ["which manager has the most employees", [["Ada Moss", "2"]]],
  ] as const)
    it(`answers “${question}”`, async () => {
      assert.deepEqual((await tables.answer(question)).rows, rows);
    });

  it("goes on with the other reference", async () => {
    assert.deepEqual((await tables.answer("number of shipments from Germany", "to Hamburg?")).rows, [["1"]]);
  });

  for (const question of [
    "ports with no shipments",
    "freight by country",
    "shipments through Bremen",
    "which port has the most shipments",
  ])
    it(`asks which is meant of “${question}”`, () => {
      const text = tables.refusal(question);
      assert.match(
        text,
        /shipments have an origin port and a destination port, .* “number of shipments by origin port”/,
      );
      assert.match(text, /these tables: ports, shipments, employees\./);
    });

  it("does not leave out what nothing is asked of", () => {
    assert.match(tables.refusal("freight of origin ports"), /what is asked of the origin port/);
  });
});
