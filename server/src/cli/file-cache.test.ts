import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { fileCache } from "./file-cache.ts";

const DAY_S = 24 * 3_600;

it("answers that eval keeps are erased 90 days after a run wrote them last, and what a run left that was killed (EVAL-60)", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-cache-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const first = fileCache(folder);
  for (const key of ["old", "recent"]) await first.put(`evaluation/answers/${key}`, Buffer.from(key));
  writeFileSync(join(folder, "evaluation_answers_half.123"), "half");
  const age = (name: string, days: number) => {
    const time = Date.now() / 1000 - days * DAY_S;
    utimesSync(join(folder, name), time, time);
  };
  age("evaluation_answers_old", 91);
  age("evaluation_answers_half.123", 91);
  age("evaluation_answers_recent", 89);

  const next = fileCache(folder);
  const read = async (key: string) => (await next.get(`evaluation/answers/${key}`))?.toString();
  assert.deepEqual([await read("old"), await read("recent"), await read("none")], [undefined, "recent", undefined]);
  await next.put("evaluation/answers/new", Buffer.from("new"));
  assert.deepEqual(readdirSync(folder).toSorted(), ["evaluation_answers_new", "evaluation_answers_recent"]);
});
