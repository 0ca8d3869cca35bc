import type { ImportAppRequest } from "@frontdesk/protos/ces/agent_service";
import assert from "node:assert/strict";
import { Code, ConnectError } from "#status";
import type { AppPackages } from "../../contract.ts";
import { testPackages } from "./memory-tree.ts";
import { PARENT, type Texts, importRequest } from "./package-requests.ts";

/** The app that tests import into. */
export const APP = `${PARENT}/apps/shop`;

/** The smallest app with one agent, one tool and one evaluation; `more` adds files or replaces them. */
export function shop(more: Texts = {}): Texts {
  return {
    "app.json": '{"displayName": "Shop", "rootAgent": "Root"}',
    "agents/Root/Root.json":
      '{"displayName": "Root", "instruction": "agents/Root/instruction.txt", "tools": ["look", "end_session"]}',
    "agents/Root/instruction.txt": "Help.",
    "tools/look/look.json":
      '{"displayName": "look", "pythonFunction": {"name": "look", "pythonCode": "tools/look/code.py"}}',
    "tools/look/code.py": "def look() -> dict:\n    return {}\n",
    "evaluations/E/E.json":
      '{"displayName": "E", "golden": {"turns": [{"steps": [{"expectation": {"toolCall": {"tool": "look"}}}]}]}}',
    ...more,
  };
}

/** The message of the INVALID_ARGUMENT of an import that must fail. */
export async function importError(packages: AppPackages, request: ImportAppRequest): Promise<string> {
  const error: unknown = await packages.importApp(request).then(
    () => assert.fail("the import succeeded"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConnectError, String(error));
  assert.equal(error.code, Code.InvalidArgument);
  return error.rawMessage;
}

/** Imports into an empty server and returns the app and the warnings. */
export async function imported(texts: Texts, fields: Partial<ImportAppRequest> = { appId: "shop" }) {
  const { tree, packages } = testPackages();
  const { name, warnings } = await packages.importApp(await importRequest(texts, fields));
  return { warnings, name, app: await tree.readTree(name) };
}

/** The error of an import into an empty server that must fail and write nothing. */
export async function rejectedImport(texts: Texts, fields: Partial<ImportAppRequest> = { appId: "shop" }): Promise<string> {
  const { tree, packages } = testPackages();
  const message = await importError(packages, await importRequest(texts, fields));
  assert.equal(tree.writes.length, 0);
  return message;
}
