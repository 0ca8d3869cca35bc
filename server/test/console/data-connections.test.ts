import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { violations } from "./axe.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const PASSWORD = "hush-hush-1";

describe("databases that are connected in the console", { skip: withoutBrowser || withoutPostgres() }, () => {
  let console: Console;
  let postgres: ThrowawayPostgres;
  before(async () => {
    postgres = await startPostgres({ password: PASSWORD });
    const owner = new pg.Client({ connectionString: postgres.url });
    await owner.connect();
    await owner.query(
      "CREATE TABLE orders (id int PRIMARY KEY, region text, total numeric(9, 2)); INSERT INTO orders VALUES (1, 'North', 10), (2, 'South', 5)",
    );
    await owner.end();
    const { host } = new URL(postgres.url);
    const warehouse = { sources: [], memory: "256MB", spillDir: "/nowhere", connectionHosts: [host] };
    console = await openConsole({ config: { warehouse, egressAllow: [host] } });
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  it("are tried, connected, asked through a data agent, and removed", async () => {
    await using opened = await console.open("/console/dataFiles");
    const { page } = opened;
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await press("Connect a database");
    const dialog = page.getByRole("dialog", { name: "Connect a database" });
    const { hostname, port } = new URL(postgres.url);
    const fields = { Name: "Shop", Host: hostname, "Port (optional)": port, Database: "postgres", User: "owner" };
    for (const [label, value] of Object.entries({ ...fields, Password: "wrong" }))
      await dialog.getByLabel(label, { exact: true }).fill(value);
    await dialog.getByRole("button", { name: /TLS/ }).click();
    await page.getByRole("option", { name: "Off, for networks that you trust" }).click();
    await dialog.getByRole("button", { name: "Test", exact: true }).click();
    await dialog.getByText(/refused the login; check user and password/).waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Test", exact: true }).click();
    await dialog.getByText("It answers, and shows 1 table.").waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("button", { name: "Connect", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Test Shop" }).click();
    await page.getByText("It answers, with 1 table.").waitFor();
    assert.deepEqual(await violations(page), []);

    await press("New data agent");
    const making = page.getByRole("dialog", { name: "New data agent" });
    await making.getByLabel("Name", { exact: true }).fill("Shop questions");
    await making.getByText(/^Shop: id, region, total/).waitFor();
    // The box itself is hidden behind a picture of it.
    await making.getByRole("checkbox", { name: "orders", exact: true }).check({ force: true });
    await making.getByRole("button", { name: "Create data agent" }).click();
    await page.getByRole("heading", { name: "Shop questions" }).waitFor();

    await page.goto(`${console.server.address}/console/dataFiles`);
    await page.getByRole("button", { name: "Remove Shop" }).click();
    const removing = page.getByRole("dialog", { name: /Remove database/ });
    await removing.getByText(/These data agents cannot be asked about it any more/).waitFor();
    await removing.getByLabel("Type the name to confirm").fill("Shop");
    await removing.getByRole("button", { name: "Remove database" }).click();
    await page.getByRole("button", { name: "Remove Shop" }).waitFor({ state: "detached" });
    assert.deepEqual(
      [opened.faults.filter((fault) => !/400|Bad Request/.test(String(fault))), opened.strangers],
      [[], []],
    );
  });
});
