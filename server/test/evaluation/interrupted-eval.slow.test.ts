import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { TEST_CACHE } from "#testing/engine";
import { PROGRAM } from "../program.ts";
import { EXAMPLE } from "./eval-command.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const)
  test(`a run that ${signal} interrupts writes its reports with what is known by then, and exits with 2 (EVAL-94)`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-eval-interrupted-"));
    t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    // A model that is called and never answers.
    const model = createServer().listen(0, "127.0.0.1");
    t.after(() => {
      model.closeAllConnections();
      model.close();
    });
    await once(model, "listening");
    const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
    const { PATH } = process.env;
    const env = {
      PATH,
      HOME: folder,
      FRONTDESK_CACHE: TEST_CACHE,
      OPENAI_BASE_URL: baseUrl,
      FRONTDESK_MODEL: "openai/m",
    };
    const junit = join(folder, "junit.xml");
    const words = ["--disable-warning=ExperimentalWarning", PROGRAM, "eval", EXAMPLE, "--junit", junit];
    const command = spawn(process.execPath, words, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
    const written = command.stderr.setEncoding("utf8").toArray();

    await once(model, "request");
    command.kill(signal);
    const [code] = await once(command, "exit");

    assert.equal(code, 2);
    assert.match((await written).join(""), /interrupted; what had no verdict by then is not measured/);
    assert.match(readFileSync(junit, "utf8"), /tests="2" failures="0" errors="0" skipped="2"/);
  });
