import type { App } from "@frontdesk/protos/ces/app";
import { apps } from "../../../api/kinds/apps.ts";
import type { Draft } from "../../../features/draft/use-draft.ts";
import { EditPage } from "../../../features/resources/edit-page.tsx";
import { ResourceScreen } from "../../../features/resources/resource-screen.tsx";
import { VariablesView } from "../../../features/variables/variables-view.tsx";
import { useAppName } from "../use-app-name.ts";

/** The variables that an app declares. */
export function VariablesRoute() {
  return (
    <ResourceScreen kind={apps} name={useAppName()}>
      {(draft: Draft<App>) => (
        <EditPage
          kind={apps}
          draft={draft}
          title="Variables"
          tabs={[
            {
              id: "variables",
              label: "Variables",
              content: <VariablesView app={draft.value} onChange={draft.set} />,
            },
          ]}
        />
      )}
    </ResourceScreen>
  );
}
