import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { useState } from "react";
import { tools } from "../../api/kinds/tools.ts";
import { toolsets } from "../../api/kinds/toolsets.ts";
import { Pick } from "../../components/field.tsx";
import { CreateDialog } from "../resources/create-dialog.tsx";
import { RequiredFields, type Selected, withRequired } from "../resources/required-fields.tsx";
import { TOOL_KINDS, TOOLSET_KINDS, type ToolKind } from "./tool-kinds.ts";

interface NewProps<Kind> {
  readonly app: string;
  readonly onCreated: (created: Kind) => void;
  readonly onClose: () => void;
}

const TOOL_TYPE = ToolSchema.oneofs[0];
const TOOLSET_TYPE = ToolsetSchema.oneofs[0];

/** Asks for a new tool's name, its kind, and what that kind cannot do without. */
export function NewTool({ app, ...rest }: NewProps<Tool>) {
  const { kind, pick, selected, setSelected } = useKind(TOOL_KINDS, ({ toolType }) => toolType);
  if (!kind || !TOOL_TYPE) return null;
  const make = (name: string): Tool => {
    const begun = kind.make(name);
    return { ...begun, toolType: withRequired(TOOL_TYPE, begun.toolType, selected) as Tool["toolType"] };
  };
  return (
    <CreateDialog
      kind={tools}
      parent={app}
      title="New tool"
      hint="Letters, digits and underscores: the model calls it by this name."
      nameFields={["display_name", "name"]}
      make={make}
      {...rest}
    >
      {pick}
      <RequiredFields oneof={TOOL_TYPE} selected={selected} onChange={setSelected} />
    </CreateDialog>
  );
}

/** The same for a toolset. */
export function NewToolset({ app, ...rest }: NewProps<Toolset>) {
  const { kind, pick, selected, setSelected } = useKind(TOOLSET_KINDS, ({ toolsetType }) => toolsetType);
  if (!kind || !TOOLSET_TYPE) return null;
  const make = (name: string): Toolset => {
    const begun = kind.make(name);
    return { ...begun, toolsetType: withRequired(TOOLSET_TYPE, begun.toolsetType, selected) as Toolset["toolsetType"] };
  };
  return (
    <CreateDialog
      kind={toolsets}
      parent={app}
      title="New toolset"
      hint="Stands before the names of its tools."
      make={make}
      {...rest}
    >
      {pick}
      <RequiredFields oneof={TOOLSET_TYPE} selected={selected} onChange={setSelected} />
    </CreateDialog>
  );
}

/** The chosen kind, the field that chooses it, and what is filled in for it. */
function useKind<Kind>(kinds: readonly ToolKind<Kind>[], typeOf: (resource: Kind) => Selected) {
  const [id, setId] = useState(kinds[0]?.id ?? "");
  const kind = kinds.find((one) => one.id === id);
  const [filled, setSelected] = useState<Selected>({});
  const selected = filled.case === id ? filled : kind ? typeOf(kind.make("")) : {};
  const choices = kinds.map(({ id: value, label, description }) => ({ value, label, description }));
  return { kind, selected, setSelected, pick: <Pick label="Kind" value={id} choices={choices} onChange={setId} /> };
}
