import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FLAGS } from "../program.ts";

const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
const DRIVER = join(import.meta.dirname, "conformance-driver.ts");

/**
 * Client scenarios that concern toolsets (TSET-6), and their revisions. `initialize`, `tools_call` and `http-standard-headers` of the other
 * revisions pass as well and prove nothing more. Left out are interactive sign-in, server requests for input, and
 * `json-schema-2020-12-preservation`: tools are stored with `schema.proto`, which has no fields for anchors and conditions.
 */
const SCENARIOS = [
  ["tools_call", "2025-06-18"],
  ["sse-retry", "2025-11-25"],
  ["request-metadata", "2026-07-28"],
  ["http-custom-headers", "2026-07-28"],
  ["http-invalid-tool-headers", "2026-07-28"],
  ["json-schema-ref-no-deref", "2026-07-28"],
] as const;

describe("MCP toolsets in the protocol's conformance suite", { concurrency: 2 }, () => {
  for (const [scenario, revision] of SCENARIOS) {
    it(`pass ${scenario} of ${revision}`, async () => {
      const { code, output } = await run(scenario, revision);
      assert.equal(code, 0, output);
      assert.doesNotMatch(output, /FAILURE|WARNING/, output);
    });
  }
});

function run(scenario: string, revision: string): Promise<{ readonly code: number; readonly output: string }> {
  const command = [process.execPath, ...FLAGS, DRIVER].join(" ");
  const args = [SUITE, "client", "--command", command, "--scenario", scenario, "--spec-version", revision];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` });
    });
  });
}
