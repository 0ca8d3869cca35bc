import {
  ImportAppResponseSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { useState } from "react";
import { agentService } from "../../api/clients.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { waitForOperation } from "../../api/operations.ts";
import { resourceId } from "../../api/resource-names.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { useRefresh } from "../../api/use-resources.ts";
import type { PackageFile } from "./package-files.ts";

/** Where a package goes. */
export interface ImportTarget {
  readonly parent: string;
  /** The app that it is put into; empty for a new one. */
  readonly app: string;
  /** Of an app: what the package does not have is deleted. */
  readonly overwrite: boolean;
}

/** The step of an import. */
type ImportState =
  | { readonly step: "choose"; readonly error?: StatusError; readonly violations: readonly string[] }
  | { readonly step: "checking" | "importing"; readonly name: string }
  | {
      readonly step: "checked";
      readonly name: string;
      readonly bytes: Uint8Array;
      readonly warnings: readonly string[];
    }
  | { readonly step: "done"; readonly app: string; readonly warnings: readonly string[] };

const CHOOSE: ImportState = { step: "choose", violations: [] };

/** An import in two steps: the server checks the package without writing, then it is imported. */
export function useImport() {
  const [state, setState] = useState<ImportState>(CHOOSE);
  const refresh = useRefresh();
  const fail = (error: unknown) =>
    setState({
      step: "choose",
      error:
        error instanceof Error && !("rawMessage" in error)
          ? { message: error.message, code: "" }
          : toStatusError(error),
      violations: [...fieldErrors(error, "")].map(([field, text]) => `${field}: ${text}`),
    });
  return {
    state,
    reset: () => setState(CHOOSE),
    check: async (files: readonly PackageFile[], target: ImportTarget) => {
      const name = files[0]?.path.split("/")[0] ?? "";
      setState({ step: "checking", name });
      try {
        const bytes = await zipFiles(files);
        const { warnings } = await send(bytes, target, true);
        setState({ step: "checked", name, bytes, warnings });
      } catch (error) {
        fail(error);
      }
    },
    run: async (name: string, bytes: Uint8Array, target: ImportTarget) => {
      setState({ step: "importing", name });
      try {
        const response = await send(bytes, target, false);
        setState({ step: "done", app: response.name, warnings: response.warnings });
        void refresh();
      } catch (error) {
        fail(error);
      }
    },
  };
}

async function send(bytes: Uint8Array, { parent, app, overwrite }: ImportTarget, validateOnly: boolean) {
  const operation = await agentService.importApp({
    parent,
    appId: app === "" ? "" : resourceId(app),
    app: { case: "appContent", value: bytes },
    importOptions: { conflictResolutionStrategy: overwrite ? Strategy.OVERWRITE : Strategy.REPLACE, validateOnly },
  });
  return waitForOperation(operation, ImportAppResponseSchema);
}

/** Maximum bytes before compression; the server has its own limits. */
const LIMIT = 200 * 1024 * 1024;

/** The package as one zip: a zip that was given as it is, a folder packed. */
async function zipFiles(files: readonly PackageFile[]): Promise<Uint8Array> {
  const kept = files.filter(({ path }) => !/(^|\/)(\.DS_Store|\.git\/|__MACOSX\/|__pycache__\/)/.test(path));
  const [first] = kept;
  if (!first) throw new Error("The package contains no files.");
  const size = kept.reduce((sum, { file }) => sum + file.size, 0);
  if (size > LIMIT)
    throw new Error(`The package is ${Math.round(size / 2 ** 20)} MiB. The limit is ${LIMIT / 2 ** 20} MiB.`);
  if (kept.length === 1 && /\.zip$/i.test(first.path)) return new Uint8Array(await first.file.arrayBuffer());
  const { zip } = await import("fflate");
  const contents = await Promise.all(
    kept.map(async ({ path, file }) => [path, new Uint8Array(await file.arrayBuffer())] as const),
  );
  return new Promise((resolve, reject) =>
    zip(Object.fromEntries(contents), { level: 6, consume: true }, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    ),
  );
}
