import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const CSV = `order_id,placed,region,price
1,31.01.2026,North,"$1,130.75"
2,28.02.2026,South,$20.00
3,13.02.2026,North,$12.50
`;

describe("files that are uploaded in the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("become a chart in at most six clicks, and a wrong answer becomes a verified one", async () => {
    await using opened = await console.open("/console");
    const { page } = opened;
    let clicks = 0;
    const click = async (name: string, role: "button" | "link" = "button") => {
      await page.getByRole(role, { name, exact: true }).click();
      clicks += 1;
    };
    await click("Data", "link");
    const chooser = page.waitForEvent("filechooser");
    await click("Choose file");
    await (await chooser).setFiles({ name: "Orders.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) });
    clicks += 1; // The file, in the window of the system.
    await page.getByRole("button", { name: /Money.*Kind of price|Kind of price/ }).waitFor();
    assert.match(await page.locator(".data-columns").innerText(), /1130.75/);
    await click("Ask this data");
    await click("total price by region");
    await page.getByText("Download SVG").waitFor();
    assert.ok(clicks <= 6, `${clicks} clicks`);

    await page.getByRole("button", { name: "This is wrong" }).click();
    await page
      .getByRole("textbox", { name: "SQL" })
      .fill("SELECT region, max(price) AS price FROM orders GROUP BY region ORDER BY region");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "Keep as the answer" }).click();
    await page.getByText("This query answers “total price by region” from now on.").waitFor();
    assert.deepEqual(opened.faults, []);

    await page.getByRole("link", { name: "Data", exact: true }).click();
    await page.getByRole("link", { name: "Orders.csv" }).click();
    await page.getByText("Asked by").waitFor();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("textbox", { name: "Type the name to confirm" }).fill("Orders.csv");
    await page.getByRole("button", { name: "Remove file" }).click();
    await page.getByRole("button", { name: "Choose file" }).waitFor();
    await page.getByRole("link", { name: "Orders.csv" }).waitFor({ state: "detached" });
    assert.deepEqual([opened.faults, opened.strangers], [[], []]);
  });
});
