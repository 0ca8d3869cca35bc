import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { useNavigate } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { errorAt } from "../../api/field-errors.ts";
import { useMay } from "../../api/permissions.ts";
import { apps } from "../../api/resource-types.ts";
import { Button } from "../../components/button.tsx";
import { useNames } from "../../features/agents/use-names.ts";
import { CodeEditor } from "../../features/code-editor/code-editor.tsx";
import { checkInstruction } from "../../features/code-editor/instruction/check-instruction.ts";
import type { ResourceEditor } from "../../features/editing/use-resource-editor.ts";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { ExportDialog } from "../../features/packages/export-dialog.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";
import { ValidationErrorList } from "../../features/resources/validation-error-list.tsx";
import { SETTING_VIEWS } from "../../features/settings/setting-views.ts";
import { useAppValidationErrors } from "../../features/settings/use-app-validation-errors.ts";
import { useAppName } from "./use-app-name.ts";

/** Settings of an app: everything that is not a resource of its own. */
export function SettingsRoute() {
  return (
    <ResourceLoader kind={apps} name={useAppName()}>
      {(editor) => <SettingsPage editor={editor} />}
    </ResourceLoader>
  );
}

function SettingsPage({ editor }: { readonly editor: ResourceEditor<App> }) {
  const navigate = useNavigate();
  const [exporting, setExporting] = useState(false);
  const { value, set, server, errors } = editor;
  const may = useMay(server.name);
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
        hint="Added before the instruction of every agent. Type { to insert a tool or a variable."
        error={errorAt(errors, "global_instruction")}
      />
    ),
  };
  return (
    <>
      <EditPage
        kind={apps}
        editor={editor}
        title="Settings"
        unlocks
        tabs={[...views.slice(0, 1), instruction, ...views.slice(1)]}
        actions={
          may("ces.apps.export") && (
            <Button onPress={() => setExporting(true)}>
              <Download size={16} aria-hidden="true" /> Export
            </Button>
          )
        }
        notes={<AppProblems app={server} />}
        onDeleted={() => void navigate({ to: "/console", ignoreBlocker: true })}
      />
      {exporting && <ExportDialog app={server} onClose={() => setExporting(false)} />}
    </>
  );
}

/** What the server found wrong with an app, each with the way to the resource it is about. */
function AppProblems({ app }: { readonly app: App }) {
  return <ValidationErrorList problems={useAppValidationErrors(app)} />;
}
