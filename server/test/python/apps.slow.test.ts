import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { JsonObject, JsonValue } from "#base";
import { packFolder } from "#resources";
import { startTestServer, type TestServer } from "#testing";
import { callServer, operateServer } from "./call-server.ts";
import { findNativePython, runNative } from "./native-python.ts";

/** Apps with unusual Python, imported and called through the API: what they answer was recorded on CPython 3.12. */
const APPS = join(import.meta.dirname, "apps");
const LOCATION = "projects/local/locations/us";

/** One recorded call: the tool's result, and all variables after it. */
interface RecordedCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly variables: JsonObject;
  readonly result: JsonValue;
  readonly after: JsonObject;
}

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server[Symbol.asyncDispose]());

const native = findNativePython();

for (const folder of ["guest-book", "price-rules", "shift-planner"]) {
  const calls = JSON.parse(readFileSync(join(APPS, `${folder}.calls.json`), "utf8")) as readonly RecordedCall[];

  describe(`the app ${folder}`, () => {
    it("is imported without a warning and answers as CPython did", async () => {
      const { zip } = await packFolder(join(APPS, folder), Date.now());
      const appContent = Buffer.from(zip).toString("base64");
      const { name: app, warnings } = await operateServer(server, `${LOCATION}/apps:importApp`, { appContent });
      assert.deepEqual([warnings ?? [], (await callServer(server, "GET", app)).validationErrors ?? []], [[], []]);
      const { tools } = (await callServer(server, "GET", `${app}/tools`)) as {
        tools?: { name: string; displayName: string }[];
      };
      for (const { tool: displayName, args, variables, result, after: expected } of calls) {
        const tool = tools?.find((each) => each.displayName === displayName)?.name;
        const answer = await callServer(server, "POST", `${app}:executeTool`, { tool, args, variables });
        assert.deepEqual(
          { response: answer.response, variables: answer.variables ?? {} },
          { response: { result }, variables: expected },
        );
      }
    });

    it("was recorded rightly, as the CPython of this machine shows", {
      skip: !native && "no CPython 3.12 here",
    }, () => {
      const input = calls.map(({ tool, args, variables }) => ({
        code: readFileSync(join(APPS, folder, "tools", tool, "python_function/python_code.py"), "utf8"),
        function: tool,
        args,
        variables,
      }));
      assert.deepEqual(
        runNative(native ?? "", input),
        calls.map(({ result, after: variables }) => ({ result, variables })),
      );
    });
  });
}
