import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { locationOf, pagePath, resourceTitle } from "../../api/resource-names.ts";
import { useApps } from "../../api/use-apps.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-actions.tsx";
import { SelectField, Switch } from "../../components/field.tsx";
import { Loading } from "../../components/loading.tsx";
import { DropZone } from "./drop-zone.tsx";
import { groupByFile } from "./import-warning.ts";
import type { PackageFile } from "./package-files.ts";
import { type ImportTarget, useImport } from "./use-import.ts";
import "../../styles/edit/packages.css";

interface ImportDialogProps {
  readonly parent: string;
  /** Files that were dropped already. */
  readonly dropped?: readonly PackageFile[];
  readonly onClose: () => void;
}

/** Brings an app package in: it is checked first, and what the server remarks on is shown by file and line. */
function ImportDialog({ parent, dropped, onClose }: ImportDialogProps) {
  const { state, check, run, reset } = useImport();
  const [app, setApp] = useState("");
  const [overwrite, setOverwrite] = useState(false);
  const apps = useApps().data ?? [];
  const target: ImportTarget = { parent: app === "" ? parent : locationOf(app), app, overwrite };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped is checked once
  useEffect(() => {
    if (dropped) void check(dropped, target);
  }, [dropped]);
  const choose = (files: readonly PackageFile[]) => void check(files, target);
  return (
    <Dialog title="Import app" open wide dismissable={false} onClose={onClose}>
      <div className="stack">
        {state.step === "choose" && (
          <>
            <SelectField
              label="Import into"
              value={app}
              choices={[
                { value: "", label: "New app" },
                ...apps.map((one) => ({ value: one.name, label: resourceTitle(one) })),
              ]}
              onChange={setApp}
              hint="In an existing app, resources with the same name are replaced."
            />
            {app !== "" && (
              <Switch selected={overwrite} onChange={setOverwrite}>
                Delete resources that are not in the package
              </Switch>
            )}
            {state.error && (
              <Banner tone="error" error={state.error}>
                {state.violations.length > 0 && (
                  <ImportWarningList label="Errors in the package" warnings={state.violations} />
                )}
              </Banner>
            )}
            <DropZone onFiles={choose} />
          </>
        )}
        {state.step === "checking" && <Loading>{`Validating ${state.name}…`}</Loading>}
        {state.step === "importing" && <Loading>{`Importing ${state.name}…`}</Loading>}
        {state.step === "checked" && <ImportSummary name={state.name} warnings={state.warnings} imported={false} />}
        {state.step === "done" && <ImportSummary name="The app" warnings={state.warnings} imported />}
      </div>
      <DialogButtons>
        {state.step === "checked" && (
          <>
            <Button onPress={reset}>Choose another package</Button>
            <Button tone="primary" onPress={() => void run(state.name, state.bytes, target)}>
              {state.warnings.length === 0 ? "Import" : "Import anyway"}
            </Button>
          </>
        )}
        {state.step === "done" && (
          <Link className="button primary" to={`${pagePath(state.app)}/agents`}>
            Open app
          </Link>
        )}
        {state.step !== "checked" && state.step !== "done" && <Button onPress={onClose}>Cancel</Button>}
      </DialogButtons>
    </Dialog>
  );
}

interface ImportSummaryProps {
  readonly name: string;
  readonly warnings: readonly string[];
  readonly imported: boolean;
}

function ImportSummary({ name, warnings, imported }: ImportSummaryProps) {
  const outcome = imported ? `${name} was imported` : `${name} can be imported`;
  if (warnings.length === 0) return <Banner tone="info">{outcome}. No warnings.</Banner>;
  const count = warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`;
  return (
    <>
      <Banner tone="warning">
        {outcome} with {count}:
      </Banner>
      <ImportWarningList label="Import warnings" warnings={warnings} />
    </>
  );
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default ImportDialog;

/** What an import found, by file and line. */
function ImportWarningList({ warnings, label }: { readonly warnings: readonly string[]; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className="warnings" aria-label={label} tabIndex={0}>
      {groupByFile(warnings).map(({ file, warnings }) => (
        <div key={file}>
          <h3>{file || "Package"}</h3>
          <ul>
            {warnings.map(({ line, field, text }) => (
              <li key={`${line}.${field}.${text}`}>
                {line > 0 && <b>Line {line}: </b>}
                {field && <code>{field}: </code>}
                {text}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
