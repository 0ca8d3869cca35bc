import { ExportAppRequest_ExportFormat, ExportAppResponseSchema } from "@frontdesk/protos/ces/agent_service";
import type { App } from "@frontdesk/protos/ces/app";
import type { AppVersion } from "@frontdesk/protos/ces/app_version";
import { useState } from "react";
import { agentService } from "../../api/clients.ts";
import { waitForOperation } from "../../api/operations.ts";
import { resourceTitle } from "../../api/resource-names.ts";
import { useSubmission } from "../../api/use-submission.ts";
import { Banner } from "../../components/banner.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { download } from "../../components/download.ts";
import { SelectField } from "../../components/field.tsx";

interface ExportDialogProps {
  readonly app: App;
  /** Absent: the app as it is now. */
  readonly version?: AppVersion;
  readonly onClose: () => void;
}

/** Writes an app, or a version of it, as a zip that can be imported here or in the hosted product. */
export function ExportDialog({ app, version, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<"JSON" | "YAML">("JSON");
  const { submit, running, error } = useSubmission(async () => {
    const operation = await agentService.exportApp({
      name: app.name,
      exportFormat: ExportAppRequest_ExportFormat[format],
      appVersion: version?.name ?? "",
    });
    const { app: exported } = await waitForOperation(operation, ExportAppResponseSchema);
    if (exported.case === "appContent")
      download(`${resourceTitle(app)}.zip`, "application/zip", new Blob([exported.value.slice()]));
    onClose();
  });
  return (
    <Dialog
      title={`Export ${resourceTitle(app)}${version ? `, version ${resourceTitle(version)}` : ""}`}
      open
      onClose={onClose}
    >
      <div className="stack">
        <SelectField
          label="Manifest format"
          value={format}
          choices={[
            { value: "JSON", label: "JSON" },
            { value: "YAML", label: "YAML" },
          ]}
          onChange={setFormat}
        />
        <p className="muted">
          Downloads a ZIP file with agents, tools, guardrails and evaluations. Code and instructions are separate files.
        </p>
        {error && <Banner tone="error" error={error} />}
      </div>
      <DialogActions
        action="Download"
        runningLabel="Exporting…"
        running={running}
        onAction={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
}
