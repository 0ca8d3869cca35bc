import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { createServiceToken } from "./service-token.ts";

describe("a token for one of Google's services", () => {
  it("fails with the service, the cause and the fix when this server has no identity", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "frontdesk-adc-"));
    const before = process.env.GOOGLE_APPLICATION_CREDENTIALS;
    t.after(async () => {
      if (before === undefined) delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
      else process.env.GOOGLE_APPLICATION_CREDENTIALS = before;
      await rm(folder, { recursive: true });
    });
    await writeFile(join(folder, "adc.json"), JSON.stringify({ type: "nonsense" }));
    process.env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, "adc.json");
    await assert.rejects(createServiceToken("BigQuery")(), (error: ConnectError) => {
      assert.match(error.message, /BigQuery cannot be called\. .+: .+\. .*GOOGLE_APPLICATION_CREDENTIALS\.$/);
      const [{ reason, metadata } = {}] = error.findDetails(ErrorInfoSchema);
      assert.deepEqual([reason, metadata], ["GOOGLE_CREDENTIALS_MISSING", { service: "BigQuery" }]);
      return true;
    });
  });
});
