import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { choose } from "./chat.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, converse, openConsole, withoutBrowser } from "./open-console.ts";

/** Expects that nothing is called where the app looks an order up, and where it calls nothing. */
const WRONG = {
  displayName: "Expects no call",
  golden: {
    turns: ["Where is my order A-1001?", "Hello"].map((text) => ({
      steps: [{ userInput: { text } }, { expectation: { noToolCalls: true } }],
    })),
  },
};

describe("evaluating an app in the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    await converse(console.server, "a-question", "Where is my order A-1001?");
  });
  after(() => console[Symbol.asyncDispose]());

  it("runs all evaluations, shows the verdicts, and counts them in the matrix", async () => {
    await using opened = await console.open(`/console/${APP}/evaluations`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Run all" }).click();
    await startRun(page);
    await page.getByText("Completed", { exact: true }).waitFor();
    await verdicts(page, ["Passed", "Passed"]);
    await page.getByText("2 of 2 passed, 95% interval 34%–100%").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Evaluations" }).click();
    await page.getByRole("columnheader", { name: "Draft" }).waitFor();
    assert.deepEqual(await page.getByRole("table").getByText("Passed", { exact: true }).count(), 2);
    assert.deepEqual(faults, []);
  });

  it("exports evaluations to a file, and imports tables and exports, with what could not be read", async () => {
    await using opened = await console.open(`/console/${APP}/evaluations`);
    const { page, faults } = opened;
    await page.locator("tbody tr").first().locator(".box").click();
    await page.getByRole("button", { name: "Export…" }).click();
    const exporting = page.getByRole("dialog", { name: "Export evaluation" });
    await exporting.getByText("Results, too").waitFor();
    assert.deepEqual(await violations(page), []);
    const downloaded = page.waitForEvent("download");
    await exporting.getByRole("button", { name: "Download" }).click();
    const file = await downloaded;
    assert.equal(file.suggestedFilename(), "order-desk-evaluations.json");
    const exported = JSON.parse(await readFile(await file.path(), "utf8"));
    assert.equal(exported.evaluations.length, 1);

    await page.getByRole("button", { name: "Import…" }).click();
    const importing = page.getByRole("dialog", { name: "Import evaluations" });
    const choosing = async (name: string, text: string) => {
      const chooser = page.waitForEvent("filechooser");
      await importing.getByRole("button", { name: "Choose file" }).click();
      await (await chooser).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    };
    const rows = ["Says hello,1,INPUT_TEXT,Hello", "Odd,1,INPUT_SMELL,Hello"];
    await choosing("goldens.csv", ["display_name,turn_index,action_type,text_content", ...rows].join("\n"));
    await importing.getByText("1 evaluation was imported; 1 could not be:").waitFor();
    await importing.getByText(/^line 3: action_type 'INPUT_SMELL' is not one of/).waitFor();
    assert.deepEqual(await violations(page), []);
    await choosing("export.json", JSON.stringify(exported));
    await importing.getByText("0 evaluations were imported; 1 could not be:").waitFor();
    await choose(page, importing.getByRole("button", { name: /Evaluations that the app has/ }), /^Replace them/);
    await choosing("export.json", JSON.stringify(exported));
    await importing.getByText("1 evaluation was imported.").waitFor();
    await choosing("notes.txt", "nothing of the kind");
    await importing.getByText(/The header has no column display_name/).waitFor();
    await importing
      .getByRole("button", { name: /^C(ancel|lose)$/ })
      .last()
      .click();
    await page.getByRole("link", { name: "Says hello" }).waitFor();
    await api(console.server, "DELETE", await nameOf("Says hello"));
    assert.deepEqual(faults, []);
  });

  async function nameOf(title: string): Promise<string> {
    type Page = { readonly evaluations: readonly { readonly name: string; readonly displayName: string }[] };
    const { evaluations } = await api<Page>(console.server, "GET", `${APP}/evaluations`);
    return evaluations.find(({ displayName }) => displayName === title)?.name ?? "";
  }

  it("shows expected and observed of what failed, and the span that decided", async () => {
    await api(console.server, "POST", `${APP}/evaluations?evaluationId=expects-no-call`, WRONG);
    await using opened = await console.open(`/console/${APP}/evaluations/expects-no-call`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await startRun(page);
    await verdicts(page, ["Failed"]);
    const results = page.getByRole("region", { name: "Results" });
    await results.getByRole("link", { name: "Expects no call", exact: true }).click();
    const failed = page.getByRole("article", { name: "No tool calls" }).first();
    await failed.getByText("Failed").waitFor();
    await failed.getByRole("button", { name: "Show span" }).click();
    await page
      .getByRole("complementary", { name: "Trace" })
      .getByRole("link", { name: "Tool look_up_order" })
      .waitFor();
    await page.getByText("No expectation is about this call.").first().waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });

  it("saves a conversation as an evaluation that passes, and shows the conversation beside it", async () => {
    await using opened = await console.open(`/console/${APP}/conversations/a-question`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Save as evaluation" }).click();
    await page.getByRole("heading", { level: 1, name: "Golden from a-question" }).waitFor();
    const beside = page.getByRole("complementary", { name: "Conversation" });
    await beside.getByText("Where is my order A-1001?").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("conversation"), "a-question");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await startRun(page);
    await verdicts(page, ["Passed"]);
    assert.deepEqual(faults, []);
  });

  it("warns of what seems to be a person's in a golden that is made from a conversation, until it is replaced", async () => {
    await converse(console.server, "with-address", "Where is my order A-1001? Write to ada@lovelace.org");
    await using opened = await console.open(`/console/${APP}/conversations/with-address`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Save as evaluation" }).click();
    const notice = page.getByText(/^This seems to have personal data: mail address in turn 1\. If it is a person’s/);
    await notice.waitFor();
    assert.deepEqual(await violations(page), []);
    const said = page.getByLabel("User input", { exact: true }).first();
    await said.fill("Where is my order A-1001? Write to ada@example.com");
    await notice.waitFor({ state: "detached" });
    await api(console.server, "DELETE", await nameOf("Golden from with-address"));
    assert.deepEqual(faults, []);
  });

  it("saves a session of the simulator as an evaluation", async () => {
    await using opened = await console.open(`/console/${APP}/simulator?sessions=a-question`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Save as evaluation" }).click();
    await page.getByRole("heading", { level: 1, name: /^Golden from a-question/ }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("has a column for each version that was evaluated, beside the draft", async () => {
    const version = `${APP}/versions/the-first`;
    await api(console.server, "POST", `${APP}/versions?appVersionId=the-first`, { displayName: "The first" });
    await using opened = await console.open(`/console/${APP}/evaluations`);
    const { page, faults } = opened;
    await page.locator("tr", { hasText: "Expects no call" }).locator(".box").click();
    await page.getByRole("button", { name: "Run 1 selected" }).click();
    await choose(page, page.getByRole("dialog").getByRole("button", { name: /Version/ }), "The first");
    await startRun(page);
    await verdicts(page, ["Failed"]);
    const { evaluationRuns } = await api<{ evaluationRuns: readonly { appVersion?: string }[] }>(
      console.server,
      "GET",
      `${APP}/evaluationRuns?orderBy=create_time`,
    );
    assert.equal(evaluationRuns[0]?.appVersion, version);
    await page.getByRole("link", { name: "Evaluations" }).click();
    await page.getByRole("columnheader", { name: "The first" }).waitFor();
    const row = page.locator("tr", { hasText: "Expects no call" });
    assert.equal(await row.getByText("Failed", { exact: true }).count(), 2);
    assert.deepEqual(faults, []);
  });

  it("narrows the list by tag, last run and words, keeps that in the address, and offers to run what it shows", async () => {
    await using opened = await console.open(`/console/${APP}/evaluations`);
    const { page, faults } = opened;
    const rows = page.getByRole("region", { name: "Evaluations" }).locator("tbody tr");
    await rows.first().waitFor();
    await choose(page, page.getByRole("button", { name: /Last run, Draft$/ }), "Failed");
    await page.getByRole("button", { name: "Run 1 shown" }).waitFor();
    assert.deepEqual(await rows.locator("a").allInnerTexts(), ["Expects no call"]);
    assert.equal(new URL(page.url()).searchParams.get("last"), "failed");
    await rows.locator("a").first().click();
    await page.getByRole("heading", { level: 1, name: "Expects no call" }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Run 1 shown" }).waitFor();
    await choose(page, page.getByRole("button", { name: /Last run, Draft$/ }), "Any");
    await choose(page, page.getByRole("button", { name: /Tag$/ }), "smoke");
    await page.getByRole("button", { name: "Run 1 shown" }).waitFor();
    assert.deepEqual(await rows.locator("a").allInnerTexts(), ["Where is my order?"]);
    await page.getByRole("searchbox", { name: "Find" }).fill("nothing like this");
    await page.getByText("No evaluation fits.").waitFor();
    await page.getByRole("searchbox", { name: "Find" }).fill("ORDER where");
    await page.getByRole("button", { name: "Run 1 shown" }).click();
    assert.deepEqual(await violations(page), []);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Run evaluation", exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(faults, []);
  });

  it("scores a kept result again without running the app", async () => {
    const results = await api<{ evaluationResults: readonly { name: string }[] }>(
      console.server,
      "GET",
      `${APP}/evaluations/where-is-my-order/results`,
    );
    const { conversations: before } = await api<{ conversations: readonly unknown[] }>(
      console.server,
      "GET",
      `${APP}/conversations?pageSize=1000`,
    );
    await using opened = await console.open(`/console/${results.evaluationResults[0]?.name}`);
    const { page, faults } = opened;
    await page.locator(".waterfall").waitFor();
    const again = page.waitForResponse(/\/GetEvaluationResult$/);
    await page.getByRole("button", { name: "Score again" }).click();
    await again;
    await page.getByRole("button", { name: "Score again" }).waitFor();
    const { conversations: after } = await api<{ conversations: readonly unknown[] }>(
      console.server,
      "GET",
      `${APP}/conversations?pageSize=1000`,
    );
    assert.equal(after.length, before.length);
    assert.deepEqual(faults, []);
  });

  it("compares two runs case by case, with an interval and the smallest drop it would have found", async () => {
    await using opened = await console.open(`/console/${APP}/evaluationRuns`);
    const { page, faults } = opened;
    await page.locator(".time-plot canvas").waitFor();
    await page
      .getByRole("link", { name: /^All evaluations/ })
      .first()
      .click();
    await choose(page, page.getByRole("button", { name: /Compare with/ }), /^Golden from a-question/);
    await page.getByText("No evaluation is in both runs.").waitFor();
    await page.goto(`${console.server.address}/console/${APP}/evaluations`);
    await page.getByRole("button", { name: "Run all" }).click();
    await startRun(page);
    await verdicts(page, ["Failed", "Passed", "Passed", "Passed", "Passed"]);
    await choose(page, page.getByRole("button", { name: /Compare with/ }), /^All evaluations/);
    const comparison = page.getByRole("region", { name: "Comparison" });
    await comparison.getByText("None: too few evaluations").waitFor();
    assert.match(
      await comparison.innerText(),
      /No drop\..*Evaluations measured in both\s+2.*None: too few evaluations/s,
    );
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });
});

/** Starts the run of the open dialog, and waits for the page of the run. */
async function startRun(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\/evaluationRuns\/[^/]+$/);
}

/** Waits until the results of the run on screen have these verdicts, in the order of the table. */
async function verdicts(page: Page, expected: readonly string[]): Promise<void> {
  const rows = page.getByRole("region", { name: "Results" }).locator("tbody tr");
  for (const [at, verdict] of expected.entries()) await rows.nth(at).getByText(verdict, { exact: true }).waitFor();
  assert.equal(await rows.count(), expected.length);
}
