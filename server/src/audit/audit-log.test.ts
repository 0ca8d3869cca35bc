import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createLogger } from "#base";
import { createAuditLog } from "./audit-log.ts";
import type { AuditEntry } from "./contract.ts";

it("the file of the audit log begins a line anew behind a piece of an entry that the disk had no space for", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-audit-log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "audit.jsonl");
  const log = createAuditLog({ store: { append: async () => {} }, file, logger: createLogger("silent") });
  const append = (method: string) => log.append({ time: 0, method } as AuditEntry);
  const methods = () =>
    readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (line.startsWith("{") ? JSON.parse(line).method : line));
  mkdirSync(file);
  await append("lost");
  rmdirSync(file);
  await append("first");
  assert.deepEqual(methods(), ["first"]);
  rmSync(file);
  mkdirSync(file);
  await append("torn");
  rmdirSync(file);
  writeFileSync(file, "half of a li");
  await append("second");
  await append("third");
  assert.deepEqual(methods(), ["half of a li", "second", "third"]);
});
