import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const LOCATION = "projects/local/locations/us";
/** More than a page of the API has. */
const MANY = 101;

describe("lists of questions to data with more entries than a page", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    for (let at = 0; at < MANY; at++) {
      const number = String(at).padStart(3, "0");
      const tableReferences = [{ projectId: "local", datasetId: "shop", tableId: "stores" }];
      await api(console.server, "POST", `${LOCATION}/dataAgents:createSync?dataAgentId=agent-${number}`, {
        displayName: `Agent ${number}`,
        dataAnalyticsAgent: { publishedContext: { datasourceReferences: { bq: { tableReferences } } } },
      });
    }
  });
  after(() => console[Symbol.asyncDispose]());

  it("find data agents among all, not only among those of the first page", async () => {
    await using opened = await console.open("/console/dataAgents");
    const { page } = opened;
    await page.getByText(`${MANY + 1} data agents`).waitFor();
    await page.getByLabel("Find data agents").fill("agent 100");
    await page.getByText(`1 of ${MANY + 1}`).waitFor();
    await page.getByRole("link", { name: "Agent 100" }).waitFor();
    await page.waitForURL(/find=/);
    assert.equal(await page.getByRole("button", { name: "Show more" }).count(), 0);
    assert.deepEqual(opened.faults, []);
  });

  it("show a conversation from its beginning", async () => {
    const agent = `${LOCATION}/dataAgents/shop`;
    const { name } = await api<{ name: string }>(console.server, "POST", `${LOCATION}/conversations`, {
      agents: [agent],
    });
    const ask = (text: string) =>
      api(console.server, "POST", `${LOCATION}:chat`, {
        messages: [{ userMessage: { text } }],
        conversationReference: { conversation: name, dataAgentContext: { dataAgent: agent } },
      });
    await ask("how many customers are there?");
    let stored = 0;
    while (stored <= 100) {
      await ask("how many stores are there?");
      const { messages, nextPageToken } = await api<{ messages: readonly object[]; nextPageToken?: string }>(
        console.server,
        "GET",
        `${name}/messages?pageSize=100`,
      );
      stored = nextPageToken ? 101 : messages.length;
    }
    const id = name.slice(name.lastIndexOf("/") + 1);
    await using opened = await console.open(`/console/${agent}?conversation=${id}`);
    await opened.page.getByRole("article", { name: "how many customers are there?" }).waitFor();
    assert.deepEqual(opened.faults, []);
  });

  it("offer the tables of all files for a new data agent", async () => {
    await using opened = await console.open("/console/dataFiles");
    const { page } = opened;
    await page.route("**/*DataAgentService/ListDataFiles", (route) => {
      const { pageToken = "" } = route.request().postDataJSON();
      const at = Number(pageToken);
      const tableReference = { projectId: "local", datasetId: `upload_0${at}`, tableId: `file_${at}` };
      const dataFiles = [{ name: `${LOCATION}/dataFiles/${at}`, tables: [{ tableReference }] }];
      return route.fulfill({ json: { dataFiles, nextPageToken: at < 3 ? String(at + 1) : "" } });
    });
    await page.getByRole("button", { name: "New data agent" }).click();
    for (let at = 0; at < 4; at++) await page.getByText(`file_${at}`, { exact: true }).waitFor();
    const stores = page.locator(".describe-found > div", { hasText: "local.shop.stores" });
    await stores.getByText("Shops, and the web shop").waitFor();
    assert.deepEqual(opened.faults, []);
  });

  it("offer the next page of links to answers", async () => {
    for (let at = 0; at < MANY; at++)
      await api(console.server, "POST", `${LOCATION}/dataAgents/shop/sharedAnswers`, {
        question: `question ${at}`,
        sqlQuery: "SELECT count(*) AS n FROM local.shop.stores",
      });
    await using opened = await console.open(`/console/${LOCATION}/dataAgents/shop`);
    const { page } = opened;
    await page.getByRole("textbox").fill("how many stores are there?");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const links = page.getByRole("region", { name: "Links" });
    await links.getByText("question 100").waitFor();
    assert.equal(await links.getByRole("listitem").count(), 100);
    await links.getByRole("button", { name: "Show more" }).click();
    await links.getByRole("button", { name: "Revoke the link to “question 0”", exact: true }).waitFor();
    assert.deepEqual(opened.faults, []);
  });
});
