import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { useNavigate, useParams } from "@tanstack/react-router";
import { formatAppName, pagePath } from "../../api/resource-names.ts";
import { examples } from "../../api/resource-types.ts";
import { MessageForm } from "../../features/message-form/message-form.tsx";
import { EditPage } from "../../features/resources/edit-page.tsx";
import { ResourceLoader } from "../../features/resources/resource-loader.tsx";

/** One example: its messages. */
export function ExampleRoute() {
  const navigate = useNavigate();
  const { project = "", location = "", app = "", example = "" } = useParams({ strict: false });
  const parent = formatAppName({ project, location, app });
  return (
    <ResourceLoader kind={examples} name={`${parent}/examples/${example}`}>
      {(editor) => (
        <EditPage
          kind={examples}
          editor={editor}
          tabs={[
            {
              id: "example",
              label: "Conversation",
              content: <MessageForm desc={ExampleSchema} value={editor.value} onChange={editor.set} />,
            },
          ]}
          onDeleted={() => void navigate({ to: `${pagePath(parent)}/examples`, ignoreBlocker: true })}
        />
      )}
    </ResourceLoader>
  );
}
