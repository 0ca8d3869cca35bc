import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ContextSchema } from "@frontdesk/protos/gda/context";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { buildSemanticModel, type SemanticModel } from "#analytics";
import { createWarehouse, type SqlSource, type Warehouse } from "#warehouse";
import { interpretQuestion } from "../interpret-question.ts";

const FILES = {
  customers: "customer_id,customer_name,city\n1,Ann,York\n2,Bob,Leeds\n",
  orders:
    "order_id,customer_id,order_date,freight,total,status\n1,1,2025-01-03,2.5,40,open\n2,2,2025-02-03,3.5,160,shipped\n",
  products: "product_id,product_name,price\n1,Lamp,20\n2,Pen,1\n",
  refunds: "refund_id,refund_date,amount\n1,2025-01-05,7\n2,2025-02-05,9\n",
  movies: "movie_id,title,release_year,gross\n1,Up,2009,$130.75\n2,Heat,1995,$67.40\n",
  penguins: "species,Body Mass (g)\nAdelie,3700\nGentoo,5000\n",
} as const;

describe("questions without a language model (CA-35)", () => {
  const folder = mkdtempSync(join(tmpdir(), "refusals-"));
  let warehouse: Warehouse;
  let model: SemanticModel;
  before(async () => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, `${name}.csv`), text);
    const sources = [{ name: ["acme", "d"] as const, path: folder }];
    warehouse = createWarehouse({ sources, memory: "256MB", spillDir: join(folder, ".spill") });
    const tableReferences = Object.keys(FILES).map((tableId) => ({ projectId: "acme", datasetId: "d", tableId }));
    const references = create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
    const source = (await warehouse.open(references)) as SqlSource;
    const context = create(ContextSchema, { datasourceReferences: references });
    model = await buildSemanticModel(source, context, new AbortController().signal);
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });
  const ask = (question: string) => interpretQuestion([question], model, new Date("2026-01-15T00:00:00Z"));

  for (const [question, why] of [
    ["which customer spent the most?", /By what should customers be ranked\?/],
    ["top 5 customers", /By what should customers be ranked\?/],
    ["products by revenue", /“revenue”, and a list of all rows would not answer that/],
    ["cheerful penguins", /“cheerful”, and a list of all rows/],
    ["orders over 100 or under 10", /which column “> 100” is about/],
    ["orders with status open or total over 150", /different columns with AND only/],
    ["movies since 2010", /movies have no date, so “since 2010” cannot be applied/],
    ["total release year", /is a year; adding years up says nothing/],
    ["average gross", /gross of movies is a text, such as “\$130\.75”|gross of movies is a text, such as “\$67\.40”/],
    ["movie with the highest gross", /gross of movies is a text, so nothing can be ranked by it/],
  ] as const)
    it(`refuses “${question}”, whose answer would look right`, () => {
      const found = ask(question);
      assert.equal(found.kind, "reply", JSON.stringify(found));
      assert.match(found.kind === "reply" ? found.text : "", why);
    });

  it("joins tables by keys that names and values show, and says so", () => {
    const found = ask("average total by city");
    assert.ok(found.kind === "query");
    assert.match(found.query.sql, /"orders"\."customer_id" = "customers"\."customer_id"/);
    assert.match(found.query.warnings.join(" "), /joined by customer_id, which fits by name and values/);
  });

  it("offers amounts to rank by", () => {
    const found = ask("top products");
    assert.deepEqual(found.kind === "reply" && found.followUps, ["highest price by products"]);
  });

  for (const [question, sql] of [
    ["customer with the most orders", /count\(\*\).*GROUP BY "customers"."customer_id".*LIMIT 1$/s],
    ["average freight per order", /^SELECT avg\("orders"\."freight"\) AS \S+\s+FROM [^ ]+ AS "orders"$/],
    [
      "average freight and total freight",
      /^SELECT avg\([^)]+"freight"\) AS "average_freight",\s+sum\([^)]+"freight"\) AS "total_freight"\s+FROM/,
    ],
    ["minimum and maximum price", /min\([^)]+"price"\).*max\([^)]+"price"\)/s],
    ["list the prices", /^SELECT "products"\.\*/],
    ["refund by month", /date_trunc\('month', "refunds"\."refund_date"\)/],
    ["how many movies per release year", /count\(\*\).*GROUP BY "movies"\."release_year"/s],
    ["how many movie", /^SELECT count\(\*\)/],
    ["average body mass by species", /avg\("penguins"\."Body Mass \(g\)"\)/],
  ] as const)
    it(`understands “${question}” as it is meant`, () => {
      const found = ask(question);
      assert.equal(found.kind, "query", JSON.stringify(found));
      assert.match(found.kind === "query" ? found.query.sql : "", sql);
    });
});
