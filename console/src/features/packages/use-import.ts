import {
  ImportAppResponseSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { useState } from "react";
import { agentService } from "../../api/agent-service.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { finished } from "../../api/finished.ts";
import { type Refusal, toRefusal } from "../../api/refusal.ts";
import { idOf } from "../../api/resource-address.ts";
import { useRefresh } from "../../api/use-resources.ts";
import type { PackedFile } from "./dropped-files.ts";
import { pack } from "./pack.ts";

/** Where a package goes. */
export interface ImportTarget {
  readonly parent: string;
  /** The app that it is put into; empty for a new one. */
  readonly app: string;
  /** Of an app: what the package does not have is deleted. */
  readonly overwrite: boolean;
}

/** How far an import has come. */
export type ImportState =
  | { readonly step: "choose"; readonly refusal?: Refusal; readonly told: readonly string[] }
  | { readonly step: "checking" | "importing"; readonly name: string }
  | {
      readonly step: "checked";
      readonly name: string;
      readonly bytes: Uint8Array;
      readonly warnings: readonly string[];
    }
  | { readonly step: "done"; readonly app: string; readonly warnings: readonly string[] };

const CHOOSE: ImportState = { step: "choose", told: [] };

/** An import in two steps: the server checks the package without writing, then it is imported. */
export function useImport() {
  const [state, setState] = useState<ImportState>(CHOOSE);
  const refresh = useRefresh();
  const fail = (error: unknown) =>
    setState({
      step: "choose",
      refusal:
        error instanceof Error && !("rawMessage" in error) ? { message: error.message, code: "" } : toRefusal(error),
      told: [...fieldErrors(error, "")].map(([field, text]) => `${field}: ${text}`),
    });
  return {
    state,
    reset: () => setState(CHOOSE),
    check: async (files: readonly PackedFile[], target: ImportTarget) => {
      const name = files[0]?.path.split("/")[0] ?? "";
      setState({ step: "checking", name });
      try {
        const bytes = await pack(files);
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
    appId: app === "" ? "" : idOf(app),
    app: { case: "appContent", value: bytes },
    importOptions: { conflictResolutionStrategy: overwrite ? Strategy.OVERWRITE : Strategy.REPLACE, validateOnly },
  });
  return finished(operation, ImportAppResponseSchema);
}
