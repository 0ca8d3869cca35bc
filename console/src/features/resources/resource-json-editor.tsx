import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { useState } from "react";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import { editableMembers, readMember, withMember } from "../editing/members.ts";
import type { ResourceEditor } from "../editing/use-resource-editor.ts";

interface ResourceJsonEditorProps<Kind extends Resource> {
  readonly kind: Pick<ResourceType<Kind>, "schema" | "singular">;
  readonly editor: ResourceEditor<Kind>;
}

/** The whole resource as the API writes it. What can be read goes into the editor at once; what the server computes stays. */
export function ResourceJsonEditor<Kind extends Resource>({ kind, editor }: ResourceJsonEditorProps<Kind>) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: Kind; readonly problem?: string }>();
  const isMine = typed?.of === editor.value;
  const change = (text: string) => {
    try {
      const read = fromJsonString(kind.schema, text);
      const next = editableMembers(kind.schema).reduce(
        (into, member) => withMember(into, member, readMember(read, member)),
        editor.value,
      );
      setTyped({ text, of: next });
      editor.set(next);
    } catch (error) {
      setTyped({ text, of: editor.value, problem: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <CodeEditor
      label={`JSON of the ${kind.singular}`}
      language="json"
      hint="All fields of the resource, in the API's JSON format."
      value={isMine ? typed.text : toJsonString(kind.schema, editor.value, { prettySpaces: 2 })}
      onChange={change}
      error={isMine ? typed.problem : undefined}
    />
  );
}
