import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { useState } from "react";
import type { Resource, ResourceKind } from "../../api/resource-kind.ts";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import { editableMembers, readMember, withMember } from "../draft/members.ts";
import type { Draft } from "../draft/use-draft.ts";

interface JsonViewProps<Kind extends Resource> {
  readonly kind: Pick<ResourceKind<Kind>, "schema" | "singular">;
  readonly draft: Draft<Kind>;
}

/** The whole resource as the API writes it. What can be read goes into the draft at once; what the server computes stays. */
export function JsonView<Kind extends Resource>({ kind, draft }: JsonViewProps<Kind>) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: Kind; readonly problem?: string }>();
  const isMine = typed?.of === draft.value;
  const change = (text: string) => {
    try {
      const read = fromJsonString(kind.schema, text);
      const next = editableMembers(kind.schema).reduce(
        (into, member) => withMember(into, member, readMember(read, member)),
        draft.value,
      );
      setTyped({ text, of: next });
      draft.set(next);
    } catch (error) {
      setTyped({ text, of: draft.value, problem: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <CodeEditor
      label={`The ${kind.singular} as JSON`}
      language="json"
      hint="Every field of the resource, as the API reads and writes it."
      value={isMine ? typed.text : toJsonString(kind.schema, draft.value, { prettySpaces: 2 })}
      onChange={change}
      error={isMine ? typed.problem : undefined}
    />
  );
}
