import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { RunEvaluationResultMetricsOperationMetadataSchema } from "@frontdesk/protos/ces/evaluation_service";
import { StatusSchema } from "@frontdesk/protos/google/rpc/status";
import type { TestServer } from "#testing";
import { violations } from "./axe.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const LOCATION = "projects/local/locations/us";
const EVALUATION = `${APP}/evaluations/broken-mug-return`;
const METADATA = create(RunEvaluationResultMetricsOperationMetadataSchema);
const packed = toBinary(AnySchema, anyPack(RunEvaluationResultMetricsOperationMetadataSchema, METADATA));
const EMPTY = new Uint8Array();

type Row = Parameters<TestServer["app"]["storage"]["operations"]["put"]>[0];

describe("the page of operations", { skip: withoutBrowser }, () => {
  let console: Console;
  const put = (id: string, fields: Partial<Row>) =>
    console.server.app.storage.operations.put({
      ...{ name: `${LOCATION}/operations/${id}`, parent: LOCATION, kind: "RunEvaluationResultMetrics" },
      ...{ subject: EVALUATION, createTime: Date.now(), done: true, isDead: false, attempts: 0 },
      ...{ metadata: packed, response: EMPTY, error: EMPTY, lastError: EMPTY },
      ...fields,
    });
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("says on a phone, too, what an operation waits for, how often it was tried, and what went wrong", async () => {
    const away = "The model is away, and the answer of its server names the address of a page about outages.";
    const lastError = toBinary(StatusSchema, create(StatusSchema, { code: 14, message: away }));
    await put("patient", { done: false, attempts: 2, lastError, dueTime: Date.now() + 3_600_000 });
    await using opened = await console.open("/console/operations?state=waiting", { width: 390 });
    const { page, faults } = opened;
    const row = page.getByRole("row").filter({ hasText: "Waiting" });
    assert.match(await row.innerText(), /Waiting until .*\d:\d\d/);
    for (const text of ["2 of 5 attempts failed", away]) {
      const box = await row.getByText(text).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390, `${text} is at ${JSON.stringify(box)}`);
    }
    assert.deepEqual(await violations(page), []);
    await row.getByRole("link", { name: /evaluations\/broken-mug-return/ }).click();
    await page.waitForURL(new RegExp(`/console/${EVALUATION}$`));
    assert.deepEqual(faults, []);
  });

  it("keeps the focus in the list when what had it is gone", async () => {
    const waiting = { done: false, dueTime: Date.now() + 3_600_000, attempts: 1 };
    await put("first", waiting);
    await put("second", { ...waiting, createTime: Date.now() - 1_000 });
    await using opened = await console.open("/console/operations?state=waiting");
    const { page } = opened;
    const cancel = page.getByRole("button", { name: /^Cancel .* first$/ });
    await cancel.focus();
    await put("first", { error: toBinary(StatusSchema, create(StatusSchema, { code: 5 })) });
    await cancel.waitFor({ state: "detached" });
    assert.ok(await page.evaluate("document.activeElement.closest('tbody') !== null"));
  });

  it("reads on beyond the newest hundred", async () => {
    const old = Date.now() - 86_400_000;
    const response = packed;
    await Promise.all(Array.from({ length: 110 }, (_, at) => put(`many-${at}`, { createTime: old - at, response })));
    await using opened = await console.open("/console/operations?state=succeeded");
    const { page } = opened;
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
    assert.equal(await page.locator("tbody tr").count(), 110);
  });
});
