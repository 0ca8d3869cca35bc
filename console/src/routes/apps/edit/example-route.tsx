import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName } from "../../../api/app-name.ts";
import { examples } from "../../../api/kinds/examples.ts";
import { addressOf } from "../../../api/resource-address.ts";
import { MessageForm } from "../../../features/message-form/message-form.tsx";
import { EditPage } from "../../../features/resources/edit-page.tsx";
import { ResourceScreen } from "../../../features/resources/resource-screen.tsx";

/** One example: who begins, and what is said and done. */
export function ExampleRoute() {
  const navigate = useNavigate();
  const { project = "", location = "", app = "", example = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceScreen kind={examples} name={`${parent}/examples/${example}`}>
      {(draft) => (
        <EditPage
          kind={examples}
          draft={draft}
          tabs={[
            {
              id: "example",
              label: "Conversation",
              content: <MessageForm desc={ExampleSchema} value={draft.value} onChange={draft.set} />,
            },
          ]}
          onDeleted={() => void navigate({ to: `${addressOf(parent)}/examples`, ignoreBlocker: true })}
        />
      )}
    </ResourceScreen>
  );
}
