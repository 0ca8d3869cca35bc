import type { App } from "@frontdesk/protos/ces/app";
import { apps } from "../../api/resource-types.ts";
import type { ResourceEditor } from "../../features/editing/use-resource-editor.ts";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";
import { VariablesView } from "../../features/variables/variables-view.tsx";
import { useAppName } from "./use-app-name.ts";

/** The variables that an app declares. */
export function VariablesRoute() {
  return (
    <ResourceLoader kind={apps} name={useAppName()}>
      {(editor: ResourceEditor<App>) => (
        <EditPage
          kind={apps}
          editor={editor}
          title="Variables"
          tabs={[
            {
              id: "variables",
              label: "Variables",
              content: <VariablesView app={editor.value} onChange={editor.set} />,
            },
          ]}
        />
      )}
    </ResourceLoader>
  );
}
