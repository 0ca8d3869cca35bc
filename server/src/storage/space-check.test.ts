import assert from "node:assert/strict";
import { it } from "node:test";
import { StorageError } from "./errors.ts";
import { takeSpace } from "./postgres/take-space.ts";
import { createSpaceCheck } from "./space-check.ts";

it("a database in which no temporary table may be made has space again when it refused nothing for ten seconds", async () => {
  let now = 0;
  const script = () => Promise.reject(Object.assign(new Error("permission denied"), { code: "42501" }));
  const space = createSpaceCheck(
    () => takeSpace({ script }, "db:5432/desk"),
    () => now,
  );
  await space.check();
  const full = new StorageError("FULL", "The database 'db:5432/desk' has no space left.");
  space.note(new StorageError("FAILED", "away"));
  await space.check();
  space.note(full);
  now = 9_000;
  await assert.rejects(space.check(), full);
  now = 10_000;
  await space.check();
  space.note(full);
  await assert.rejects(space.check(), full);
});
