import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../config.ts";
import { throwAway } from "./throw-away-app.ts";

test("a throw-away server logs its faults, which reports only call internal, and nothing else", () => {
  const config = readConfig(["--log", "debug"], { FRONTDESK_RECORD: "recordings" });
  const { logLevel, recordDir, example, dataDir } = throwAway(config, "data", undefined);
  assert.deepEqual(
    { logLevel, recordDir, example, dataDir },
    { logLevel: "error", recordDir: undefined, example: false, dataDir: "data" },
  );
});
