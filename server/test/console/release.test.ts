import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { choose } from "./chat.ts";
import { api } from "./edit-api.ts";
import { saved } from "./editing.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const DEPLOYMENT = `${APP}/deployments/shop-window`;

interface DeploymentAnswer {
  readonly experimentConfig: {
    readonly versionRelease: {
      readonly trafficAllocations: readonly { readonly appVersion: string; readonly trafficPercentage: number }[];
    };
  };
}

describe("releasing an app from the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    for (const id of ["first", "second"])
      await api(console.server, "POST", `${APP}/versions?appVersionId=version-${id}`, { displayName: `The ${id}` });
    await api(console.server, "POST", `${APP}/deployments?deploymentId=shop-window`, {
      displayName: "Shop window",
      appVersion: `${APP}/versions/version-first`,
      channelProfile: { channelType: "API" },
    });
  });
  after(() => console[Symbol.asyncDispose]());

  it("splits the traffic between versions by keyboard, and accepts only shares that add up to 100", async () => {
    await using opened = await console.open(`/console/${DEPLOYMENT}`);
    const { page } = opened;
    await page.getByRole("button", { name: "Split traffic" }).press("Enter");
    const parts = page.locator(".traffic-part");
    await parts
      .nth(1)
      .getByRole("button", { name: /Version/ })
      .press("Enter");
    await page.getByRole("option", { name: "The second" }).press("Enter");
    await parts.nth(1).getByLabel("Percent").fill("40");
    await page.getByText("Total: 90%. The total must be 100%.").waitFor();
    await page.keyboard.press("Control+S");
    await page
      .getByText(/traffic_percentage|add up|sum/i)
      .first()
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await parts.nth(0).getByLabel("Percent").fill("60");
    await page.getByText("Total: 100%").waitFor();
    await page.keyboard.press("Control+S");
    await saved(page);
    const { experimentConfig } = await api<DeploymentAnswer>(console.server, "GET", DEPLOYMENT);
    assert.deepEqual(
      experimentConfig.versionRelease.trafficAllocations.map(({ appVersion, trafficPercentage }) => [
        appVersion,
        trafficPercentage,
      ]),
      [
        [`${APP}/versions/version-first`, 60],
        [`${APP}/versions/version-second`, 40],
      ],
    );
  });

  it("compares a version with the base in its address, from the base to the version", async () => {
    const guardrail = `${APP}/guardrails/no-card-numbers`;
    const description = { description: "As the draft has it." };
    await api(console.server, "PATCH", `${guardrail}?updateMask=description`, description);
    await using opened = await console.open(`/console/${APP}/versions/version-first`);
    const { page, faults } = opened;
    const change = page.locator(".change", { hasText: "No card numbers" });
    await change.locator(".diff-line.removed", { hasText: description.description }).waitFor();
    await page.getByText("From the draft to this version").waitFor();
    await choose(page, page.getByRole("button", { name: /Base version/ }), "The second");
    await page.getByText("No differences.").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("base"), "version-second");
    await page.reload();
    await page.getByText("From the base version to this version").waitFor();
    await page.getByText("No differences.").waitFor();
    assert.deepEqual(faults, []);
  });

  it("says which deployments lose a version that is deleted", async () => {
    await using opened = await console.open(`/console/${APP}/versions/version-first`);
    const { page } = opened;
    await page.getByRole("button", { name: "Delete version" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Deployment Shop window").waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Delete version" }).isDisabled(), true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("exports an app as a package that makes the same app again where it is dropped", async () => {
    await using opened = await console.open(`/console/${APP}/settings`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Export" }).press("Enter");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).press("Enter");
    const packed = readFileSync(await (await saving).path());
    await page.getByRole("link", { name: "Apps" }).click();
    await page.getByRole("table").waitFor();
    await drop(page, "order-desk.zip", packed);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Import/ }).click();
    await page.getByRole("link", { name: "Open app" }).click();
    await page.locator(".react-flow__node").nth(2).waitFor();
    assert.deepEqual(
      await agentsOf(new URL(page.url()).pathname.split("/").slice(2, 8).join("/")),
      await agentsOf(APP),
    );
    assert.deepEqual(faults, []);
  });

  async function agentsOf(app: string): Promise<readonly string[]> {
    const { agents } = await api<{ agents: readonly { displayName: string; instruction: string }[] }>(
      console.server,
      "GET",
      `${app}/agents`,
    );
    return agents.map(({ displayName, instruction }) => `${displayName}: ${instruction}`).sort();
  }
});

/** Drops a file onto the page, as a hand with a pointer would. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const script = `([name, text]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name, { type: "application/zip" }));
    return dataTransfer;
  }`;
  const dataTransfer = await page.evaluateHandle(`(${script})(${JSON.stringify([name, bytes.toString("base64")])})`);
  await page.locator(".apps-page").dispatchEvent("drop", { dataTransfer });
}
