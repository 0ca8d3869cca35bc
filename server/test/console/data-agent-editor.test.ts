import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const LOCATION = "projects/local/locations/us";
const ORDERS = "placed,region,price\n2026-03-04,North,20.00\n2026-05-06,South,12.50\n";
const RETAIL = readFileSync(join(import.meta.dirname, "../semantics/__fixtures__/osi/retail.yaml"));

/** What the test reads of a data agent. */
interface StoredAgent {
  readonly name: string;
  readonly displayName: string;
  readonly description?: string;
  readonly semanticModel?: string;
  readonly dataAnalyticsAgent: { readonly publishedContext: PublishedContext };
}

interface AskedTable {
  readonly tableId: string;
  readonly schema?: object;
}

interface PublishedContext {
  readonly datasourceReferences: { readonly bq: { readonly tableReferences: readonly object[] } };
  readonly glossaryTerms?: readonly object[];
  readonly schemaRelationships?: readonly object[];
}

describe("the editor of a data agent", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    await fetch(`${console.server.address}/upload/v1beta/${LOCATION}/dataFiles?displayName=returns.csv`, {
      method: "POST",
      body: ORDERS,
    });
  });
  after(() => console[Symbol.asyncDispose]());

  const read = async (displayName: string) => {
    const path = `${LOCATION}/dataAgents?pageSize=100`;
    const { dataAgents } = await api<{ dataAgents: readonly StoredAgent[] }>(console.server, "GET", path);
    const found = dataAgents.find((agent) => agent.displayName === displayName);
    assert.ok(found, displayName);
    return found;
  };

  it("has an address for its description and each part of it, and Back returns to the questions", async () => {
    await using opened = await console.open("/console/projects/local/locations/us/dataAgents/shop");
    const { page } = opened;
    await page.getByRole("button", { name: "Describe" }).click();
    await page.getByRole("tab", { name: "Glossary" }).click();
    await page.waitForURL(/view=describe&tab=glossary/);
    await page.reload();
    await page.getByRole("tab", { name: "Glossary", selected: true }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await page.goForward();
    await page.getByRole("tab", { name: "Tables" }).waitFor();
    await page.goto(`${console.server.address}/console/projects/local/locations/us/dataAgents/shop#describe`);
    await page.getByRole("tab", { name: "Tables", selected: true }).waitFor();
    assert.deepEqual(opened.faults, []);
  });

  it("keeps what was not saved over a reload and another page, and knows what others changed meanwhile", async () => {
    const name = "projects/local/locations/us/dataAgents/shop";
    await using opened = await console.open(`/console/${name}?view=describe&tab=glossary`);
    const { page } = opened;
    await press(page, "Add term");
    const term = page.getByRole("textbox", { name: "Term", exact: true }).last();
    await term.fill("regular");
    await page.getByRole("textbox", { name: "Meaning", exact: true }).last().fill("three orders in a year");
    await page.reload();
    const bar = page.getByRole("region", { name: "Unsaved changes" });
    await bar.getByText(/^Unsaved since .*: glossary$/).waitFor();
    assert.equal(await term.inputValue(), "regular");
    await press(page, "Ask questions");
    await page.getByRole("dialog").getByText("They are stored in this browser until you come back.").waitFor();
    await press(page, "Leave without saving");
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    const { glossaryTerms = [] } = (await read("Kettle & Kiln")).dataAnalyticsAgent.publishedContext;
    const mask = "updateMask=description,data_analytics_agent.published_context.glossary_terms";
    await api(console.server, "PATCH", `${name}:updateSync?${mask}`, {
      description: "Of somebody else",
      dataAnalyticsAgent: { publishedContext: { glossaryTerms: [] } },
    });
    await page.goto(`${console.server.address}/console/${name}?view=describe&tab=glossary`);
    await bar.getByText(/^Unsaved since .*: glossary$/).waitFor();
    await press(page, "Save");
    await bar.getByText("Somebody else changed this meanwhile: glossary.").waitFor();
    assert.deepEqual(await violations(page), []);
    await press(page, "Save mine");
    await bar.waitFor({ state: "detached" });
    const { dataAnalyticsAgent, description } = await read("Kettle & Kiln");
    assert.equal(description, "Of somebody else");
    assert.deepEqual(dataAnalyticsAgent.publishedContext.glossaryTerms, [
      ...glossaryTerms,
      { displayName: "regular", description: "three orders in a year" },
    ]);
    await page.reload();
    await term.waitFor();
    assert.equal(await bar.count(), 0);
    assert.deepEqual(opened.faults, []);
  });

  it("makes one of tables, describes them, and keeps a semantic model after its losses were shown", async () => {
    await using opened = await console.open("/console/dataFiles");
    const { page } = opened;
    const dialog = page.getByRole("dialog");
    await press(page, "New data agent");
    await dialog.getByText("returns.csv").waitFor();
    await fill(page, "Name", "Sales");
    await dialog.locator("label.checkbox").nth(0).click();
    await fill(page, "Other tables", "shop.orders");
    await dialog.getByText("Not of the form project.dataset.table: shop.orders").waitFor();
    await fill(page, "Other tables", "local.shop.customers");
    await dialog.getByText("local.shop.stores", { exact: true }).waitFor();
    await fill(page, "Search tables", "ORDERS shop");
    await dialog.getByText("local.shop.stores", { exact: true }).waitFor({ state: "detached" });
    await dialog.getByText("local.shop.orders", { exact: true }).waitFor();
    await dialog.locator(".describe-found label.checkbox").first().click();
    assert.deepEqual(await violations(page), []);
    await press(page, "Create data agent");

    await page.getByRole("group").filter({ hasText: "returns" }).waitFor();
    await fill(page, "What a row of returns is", "A return of goods");
    await fill(page, "Description of price", "What the customer gets back");
    await fill(page, "Other words for price", "refund, money back");
    await page.locator("summary", { hasText: "local.shop.orders" }).click();
    await fill(page, "Description of channel", "Where it was bought");
    assert.deepEqual(await violations(page), []);

    await press(page, "Add tables");
    await dialog.getByText("local.shop.stores", { exact: true }).waitFor();
    assert.equal(await dialog.getByText("local.shop.orders", { exact: true }).count(), 0);
    await fill(page, "Another table", "local.shop.orders");
    await dialog.getByText("The data agent has this table already.").waitFor();
    await fill(page, "Another table", "");
    await fill(page, "Search tables", "stores");
    await dialog.getByText("local.shop.products", { exact: true }).waitFor({ state: "detached" });
    await dialog.locator(".describe-found label.checkbox").first().click();
    assert.deepEqual(await violations(page), []);
    await press(page, "Add table");
    await page.locator("summary", { hasText: "local.shop.stores" }).waitFor();

    await page.getByRole("tab", { name: "Joins" }).click();
    await press(page, "Add join");
    await choose(page, "From table", "local.shop.orders");
    await page.getByRole("tab", { name: "Glossary" }).click();
    await press(page, "Add term");
    await fill(page, "Meaning", "returns.price above 15");
    await press(page, "Save");
    await page.getByText("Give the term a name.").waitFor();
    await fill(page, "Term", "large return");
    await page.getByRole("tab", { name: "Joins" }).click();
    await page.getByText("Choose a table and a column on both sides.").waitFor();
    await choose(page, "From column", "customer_id");
    await choose(page, "To table", "local.shop.customers");
    await choose(page, "To column", "customer_id");
    assert.deepEqual(await violations(page), []);
    await press(page, "Save");
    await page.getByText("Unsaved changes:").waitFor({ state: "detached" });

    const { name, dataAnalyticsAgent } = await read("Sales");
    const { datasourceReferences, glossaryTerms, schemaRelationships } = dataAnalyticsAgent.publishedContext;
    const [returns, orders, ...others] = datasourceReferences.bq.tableReferences as readonly AskedTable[];
    assert.deepEqual(
      others.map(({ tableId }) => tableId),
      ["customers", "stores"],
    );
    assert.deepEqual(returns?.schema, {
      description: "A return of goods",
      fields: [{ name: "price", description: "What the customer gets back", synonyms: ["refund", "money back"] }],
    });
    assert.deepEqual(orders?.schema, { fields: [{ name: "channel", description: "Where it was bought" }] });
    assert.deepEqual(glossaryTerms, [{ displayName: "large return", description: "returns.price above 15" }]);
    assert.deepEqual(schemaRelationships, [
      {
        leftSchemaPaths: { tableFqn: "local.shop.orders", paths: ["customer_id"] },
        rightSchemaPaths: { tableFqn: "local.shop.customers", paths: ["customer_id"] },
      },
    ]);

    // Somebody else changes the glossary and the description meanwhile.
    const theirs = { glossaryTerms: [{ displayName: "theirs", description: "Of somebody else" }] };
    const mask = "updateMask=description,data_analytics_agent.published_context.glossary_terms";
    await api(console.server, "PATCH", `${name}:updateSync?${mask}`, {
      description: "Theirs",
      dataAnalyticsAgent: { publishedContext: theirs },
    });
    await page.getByRole("tab", { name: "Glossary" }).click();
    await fill(page, "Term", "very large return");
    await press(page, "Save");
    await page.getByText("Somebody else changed this meanwhile: glossary.").waitFor();
    await press(page, "Discard");
    await page.getByRole("textbox", { name: "Meaning" }).and(page.locator('[value="Of somebody else"]')).waitFor();

    await page.getByRole("tab", { name: "Semantic model" }).click();
    const chooser = page.waitForEvent("filechooser");
    await press(page, "Choose files");
    await (await chooser).setFiles({ name: "retail.yaml", mimeType: "text/yaml", buffer: RETAIL });
    await page.getByText("retail.yaml:23", { exact: true }).waitFor();
    await page.getByText("2 things are not carried.").waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal((await read("Sales")).semanticModel, undefined);
    await press(page, "Keep this model");
    await press(page, "Remove model", false);
    const kept = await read("Sales");
    assert.match(kept.semanticModel ?? "", /name: retail/);
    await press(page, "Ask questions");
    await page.getByText("Theirs", { exact: true }).waitFor();
    assert.deepEqual([opened.faults, opened.strangers], [[], []]);
  });
});

async function press(page: Page, name: string, click = true): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  await (click ? button.click() : button.waitFor());
}

async function fill(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("textbox", { name, exact: true }).fill(text);
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole("button", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}
