import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import type { Resource, ResourceType } from "../../api/resource-types.ts";
import { CodeEditor } from "../code-editor/code-editor.tsx";
import { editableMembers, readMember, withMember } from "../editing/members.ts";
import type { ResourceEditor } from "../editing/use-resource-editor.ts";

/** JSON as somebody types it. */
export interface TypedJson {
  readonly text: string;
  /** The resource that was made of it; what cannot be read makes none. */
  readonly of: unknown;
  /** Why it cannot be read. */
  readonly problem?: string;
}

interface ResourceJsonEditorProps<Kind extends Resource> {
  readonly kind: Pick<ResourceType<Kind>, "schema" | "singular">;
  readonly editor: ResourceEditor<Kind>;
  /** Kept by the page, so that another tab of it loses nothing. */
  readonly typed: TypedJson | undefined;
  readonly onType: (typed: TypedJson) => void;
}

/** The whole resource as the API writes it. What can be read goes into the editor at once; what the server computes stays. */
export function ResourceJsonEditor<Kind extends Resource>({
  kind,
  editor,
  typed,
  onType,
}: ResourceJsonEditorProps<Kind>) {
  const isMine = typed !== undefined && (typed.problem !== undefined || typed.of === editor.value);
  const change = (text: string) => {
    try {
      const read = fromJsonString(kind.schema, text);
      const next = editableMembers(kind.schema).reduce(
        (into, member) => withMember(into, member, readMember(read, member)),
        editor.value,
      );
      onType({ text, of: next });
      editor.set(next);
    } catch (error) {
      onType({ text, of: undefined, problem: error instanceof Error ? error.message : String(error) });
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
