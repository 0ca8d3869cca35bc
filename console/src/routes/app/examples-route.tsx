import { create } from "@bufbuild/protobuf";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { examples } from "../../api/resource-types.ts";
import { Badge } from "../../components/badge.tsx";
import { ResourceList } from "../../features/resources/resource-list.tsx";
import { useAppName } from "./use-app-name.ts";

/** The examples of an app: conversations that show the model how to respond. */
export function ExamplesRoute() {
  return (
    <ResourceList
      kind={examples}
      app={useAppName()}
      title="Examples"
      empty={{
        title: "No examples yet",
        text: "An example is a short conversation that shows the model how to respond. It is added to the prompt.",
      }}
      columns={[
        { id: "messages", heading: "Messages", number: true, cell: ({ messages }) => messages.length },
        {
          id: "status",
          heading: "Status",
          cell: ({ invalid }) =>
            invalid ? <Badge tone="warning">Invalid reference</Badge> : <Badge tone="success">Valid</Badge>,
        },
      ]}
      make={(displayName) => create(ExampleSchema, { displayName })}
    />
  );
}
