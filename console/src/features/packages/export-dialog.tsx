import { ExportAppRequest_ExportFormat, ExportAppResponseSchema } from "@frontdesk/protos/ces/agent_service";
import type { App } from "@frontdesk/protos/ces/app";
import type { AppVersion } from "@frontdesk/protos/ces/app_version";
import { useState } from "react";
import { agentService } from "../../api/agent-service.ts";
import { finished } from "../../api/finished.ts";
import { type Refusal, toRefusal } from "../../api/refusal.ts";
import { titleOf } from "../../api/resource-address.ts";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Pick } from "../../components/field.tsx";
import { saveBytes } from "./save-bytes.ts";

interface ExportDialogProps {
  readonly app: App;
  /** Absent: the app as it is now. */
  readonly version?: AppVersion;
  readonly onClose: () => void;
}

/** Writes an app, or a version of it, as a zip that can be imported here or in the hosted product. */
export function ExportDialog({ app, version, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<"JSON" | "YAML">("JSON");
  const [running, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const run = async () => {
    setRunning(true);
    try {
      const operation = await agentService.exportApp({
        name: app.name,
        exportFormat: ExportAppRequest_ExportFormat[format],
        appVersion: version?.name ?? "",
      });
      const { app: exported } = await finished(operation, ExportAppResponseSchema);
      if (exported.case === "appContent") saveBytes(`${titleOf(app)}.zip`, exported.value, "application/zip");
      onClose();
    } catch (error) {
      setRefusal(toRefusal(error));
      setRunning(false);
    }
  };
  return (
    <Dialog
      title={`Export ${titleOf(app)}${version ? ` as it was in ${titleOf(version)}` : ""}`}
      open
      onClose={onClose}
    >
      <div className="stack">
        <Pick
          label="Manifests as"
          value={format}
          choices={[
            { value: "JSON", label: "JSON" },
            { value: "YAML", label: "YAML" },
          ]}
          onChange={setFormat}
        />
        <p className="muted">
          A zip of folders: agents, tools, guardrails, evaluations, with code and instructions as files.
        </p>
        {refusal && <Banner tone="bad" refusal={refusal} />}
      </div>
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button tone="primary" isDisabled={running} onPress={() => void run()}>
          {running ? "Exporting …" : "Download"}
        </Button>
      </div>
    </Dialog>
  );
}
