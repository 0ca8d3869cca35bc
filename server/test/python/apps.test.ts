import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { JsonObject, JsonValue } from "#base";
import { packFolder } from "#resources";
import { startTestServer, type TestServer } from "#testing";
import { callServer, operateServer } from "./call-server.ts";

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
      const output = execFileSync(native ?? "", [join(import.meta.dirname, "run_native.py")], {
        input: JSON.stringify(input),
      });
      assert.deepEqual(
        JSON.parse(String(output)),
        calls.map(({ result, after: variables }) => ({ result, variables })),
      );
    });
  });
}

/** A CPython 3.12 or newer, or undefined: under its own name, as `python3`, or where pyenv keeps its versions. */
function findNativePython(): string | undefined {
  const pyenv = join(homedir(), ".pyenv/versions");
  const installed = listed(pyenv).map((version) => join(pyenv, version, "bin/python3"));
  return ["python3.12", "python3", ...installed].find((command) => {
    try {
      const check = "import sys, zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin'); print(sys.version_info[:2] == (3, 12))";
      return String(execFileSync(command, ["-c", check], { stdio: ["ignore", "pipe", "ignore"] })).trim() === "True";
    } catch {
      return false; // not there, or without time zones: no witness
    }
  });
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // pyenv is not used here
  }
}
