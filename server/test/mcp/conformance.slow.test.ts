import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FIXTURES } from "./fixtures.ts";
import { createProductServer } from "./product-server.ts";

const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");

describe("the MCP server in the protocol's conformance suite", () => {
  for (const revision of ["2026-07-28", "2025-11-25"]) {
    it(`meets the requirements of ${revision}, except those that ${`conformance-${revision}.yml`} lists as not applicable`, async () => {
      await using server = await createProductServer({ mcp: { additions: FIXTURES } });
      const baseline = join(import.meta.dirname, `conformance-${revision}.yml`);
      const args = [
        "server",
        "--url",
        `${server.url}/mcp`,
        "--requirements",
        revision,
        "--expected-failures",
        baseline,
      ];
      const { code, output } = await run(args);
      assert.equal(code, 0, output);
    });
  }
});

function run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SUITE, ...args], { timeout: 90_000, maxBuffer: 1 << 25 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` });
    });
  });
}
