import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { addressOf, titleOf } from "../../api/resource-address.ts";
import { useApps } from "../../api/use-apps.ts";
import { Banner } from "../../components/banner.tsx";
import { Busy } from "../../components/busy.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Pick, Switch } from "../../components/field.tsx";
import { DropZone } from "./drop-zone.tsx";
import type { PackedFile } from "./dropped-files.ts";
import { RemarkList } from "./remark-list.tsx";
import { type ImportTarget, useImport } from "./use-import.ts";

interface ImportDialogProps {
  readonly parent: string;
  /** Files that were dropped already. */
  readonly dropped?: readonly PackedFile[];
  readonly onClose: () => void;
}

/** Brings an app package in: it is checked first, and what the server remarks on is shown by file and line. */
function ImportDialog({ parent, dropped, onClose }: ImportDialogProps) {
  const { state, check, run, reset } = useImport();
  const [app, setApp] = useState("");
  const [overwrite, setOverwrite] = useState(false);
  const apps = useApps().data ?? [];
  const target: ImportTarget = { parent: app === "" ? parent : app.split("/").slice(0, 4).join("/"), app, overwrite };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped is checked once
  useEffect(() => {
    if (dropped) void check(dropped, target);
  }, [dropped]);
  const choose = (files: readonly PackedFile[]) => void check(files, target);
  return (
    <Dialog title="Import an app" open wide dismissable={false} onClose={onClose}>
      <div className="stack">
        {state.step === "choose" && (
          <>
            <Pick
              label="Into"
              value={app}
              choices={[
                { value: "", label: "A new app" },
                ...apps.map((one) => ({ value: one.name, label: titleOf(one) })),
              ]}
              onChange={setApp}
              hint="Into an existing app: what has the same name is replaced."
            />
            {app !== "" && (
              <Switch selected={overwrite} onChange={setOverwrite}>
                Also delete what the package does not have
              </Switch>
            )}
            {state.refusal && (
              <Banner tone="bad" refusal={state.refusal}>
                {state.told.length > 0 && <RemarkList label="What is wrong with the package" warnings={state.told} />}
              </Banner>
            )}
            <DropZone onFiles={choose} />
          </>
        )}
        {state.step === "checking" && <Busy>{`Checking ${state.name}`}</Busy>}
        {state.step === "importing" && <Busy>{`Importing ${state.name}`}</Busy>}
        {state.step === "checked" && <Remarks name={state.name} warnings={state.warnings} imported={false} />}
        {state.step === "done" && <Remarks name="The app" warnings={state.warnings} imported />}
      </div>
      <div className="actions wrap">
        {state.step === "checked" && (
          <>
            <Button onPress={reset}>Choose another one</Button>
            <Button tone="primary" onPress={() => void run(state.name, state.bytes, target)}>
              {state.warnings.length === 0 ? "Import" : "Import all the same"}
            </Button>
          </>
        )}
        {state.step === "done" && (
          <Link className="button primary" to={`${addressOf(state.app)}/agents`}>
            Open the app
          </Link>
        )}
        {state.step !== "checked" && <Button onPress={onClose}>{state.step === "done" ? "Close" : "Cancel"}</Button>}
      </div>
    </Dialog>
  );
}

interface RemarksProps {
  readonly name: string;
  readonly warnings: readonly string[];
  readonly imported: boolean;
}

function Remarks({ name, warnings, imported }: RemarksProps) {
  const told = imported ? `${name} was imported` : `${name} can be imported`;
  if (warnings.length === 0) return <Banner tone="note">{told}. Nothing was remarked on.</Banner>;
  const count = warnings.length === 1 ? "one remark" : `${warnings.length} remarks`;
  return (
    <>
      <Banner tone="warning">
        {told}, with {count}:
      </Banner>
      <RemarkList label="Remarks on the package" warnings={warnings} />
    </>
  );
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default ImportDialog;
