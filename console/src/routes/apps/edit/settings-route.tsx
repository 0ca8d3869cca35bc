import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { useNavigate } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { errorAt } from "../../../api/field-errors.ts";
import { apps } from "../../../api/kinds/apps.ts";
import { Button } from "../../../components/button.tsx";
import { useNames } from "../../../features/agents/use-names.ts";
import { CodeEditor } from "../../../features/code-editor/code-editor.tsx";
import { checkInstruction } from "../../../features/code-editor/instruction/check-instruction.ts";
import type { Draft } from "../../../features/draft/use-draft.ts";
import { MessageForm } from "../../../features/message-form/message-form.tsx";
import { ExportDialog } from "../../../features/packages/export-dialog.tsx";
import { EditPage } from "../../../features/resources/edit-page.tsx";
import { ResourceScreen } from "../../../features/resources/resource-screen.tsx";
import { AppProblems } from "../../../features/settings/app-problems.tsx";
import { SETTING_VIEWS } from "../../../features/settings/setting-views.ts";
import { useAppName } from "../use-app-name.ts";

/** Settings of an app: everything that is not a resource of its own. */
export function SettingsRoute() {
  return (
    <ResourceScreen kind={apps} name={useAppName()}>
      {(draft) => <SettingsPage draft={draft} />}
    </ResourceScreen>
  );
}

function SettingsPage({ draft }: { readonly draft: Draft<App> }) {
  const navigate = useNavigate();
  const [exporting, setExporting] = useState(false);
  const { value, set, server, errors } = draft;
  const names = useNames(server.name);
  const problems = useMemo(() => checkInstruction(value.globalInstruction, names), [value.globalInstruction, names]);
  const views = SETTING_VIEWS.map(({ id, label, fields }) => ({
    id,
    label,
    content: <MessageForm desc={AppSchema} value={value} onChange={set} only={fields} />,
  }));
  const instruction = {
    id: "instruction",
    label: "Instruction",
    content: (
      <CodeEditor
        label="Global instruction"
        language="instruction"
        value={value.globalInstruction}
        onChange={(globalInstruction) => set({ ...value, globalInstruction })}
        names={names}
        problems={problems}
        hint="Stands before the instruction of every agent. Type { to name a tool or a variable."
        error={errorAt(errors, "global_instruction")}
      />
    ),
  };
  return (
    <>
      <EditPage
        kind={apps}
        draft={draft}
        title="Settings"
        tabs={[...views.slice(0, 1), instruction, ...views.slice(1)]}
        actions={
          <Button onPress={() => setExporting(true)}>
            <Download size={16} aria-hidden="true" /> Export
          </Button>
        }
        notes={<AppProblems app={server} />}
        onDeleted={() => void navigate({ to: "/console", ignoreBlocker: true })}
      />
      {exporting && <ExportDialog app={server} onClose={() => setExporting(false)} />}
    </>
  );
}
