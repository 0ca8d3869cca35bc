import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../config.ts";
import { temporaryConfig } from "./temporary-app.ts";

test("a throw-away server logs its faults, which reports only call internal, and writes nowhere else", () => {
  const environment = { FRONTDESK_RECORD: "recordings", FRONTDESK_DATABASE_URL: "postgres://db/desk" };
  const config = readConfig(["--log", "debug"], environment);
  const { logLevel, recordDir, example, dataDir, database } = temporaryConfig(config, "data", undefined);
  assert.deepEqual(
    { logLevel, recordDir, example, dataDir, database },
    { logLevel: "error", recordDir: undefined, example: false, dataDir: "data", database: undefined },
  );
});
