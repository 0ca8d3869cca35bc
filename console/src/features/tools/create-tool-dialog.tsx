import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { useState } from "react";
import { tools, toolsets } from "../../api/resource-types.ts";
import { toolNameError, toolsetNameError } from "../../api/tool-name.ts";
import { SelectField } from "../../components/field.tsx";
import { CreateDialog } from "../resources/create-dialog.tsx";
import { RequiredFields, type Selected, withRequired } from "../resources/required-fields.tsx";
import { TOOL_TYPES, TOOLSET_TYPES, type ToolTypeOption } from "./tool-types.ts";

interface CreateDialogProps<Kind> {
  readonly app: string;
  readonly onCreated: (created: Kind) => void;
  readonly onClose: () => void;
}

const TOOL_TYPE = ToolSchema.oneofs[0];
const TOOLSET_TYPE = ToolsetSchema.oneofs[0];

/** Asks for a new tool's name, its kind, and what that kind cannot do without. */
export function CreateToolDialog({ app, ...rest }: CreateDialogProps<Tool>) {
  const { kind, pick, selected, setSelected } = useTypeSelection(TOOL_TYPES, ({ toolType }) => toolType);
  if (!kind || !TOOL_TYPE) return null;
  const make = (name: string): Tool => {
    const begun = kind.make(name);
    return { ...begun, toolType: withRequired(TOOL_TYPE, begun.toolType, selected) as Tool["toolType"] };
  };
  return (
    <CreateDialog
      kind={tools}
      parent={app}
      title="Create tool"
      hint="Letters, digits and underscores. The model calls the tool by this name."
      nameError={toolNameError}
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
export function CreateToolsetDialog({ app, ...rest }: CreateDialogProps<Toolset>) {
  const { kind, pick, selected, setSelected } = useTypeSelection(TOOLSET_TYPES, ({ toolsetType }) => toolsetType);
  if (!kind || !TOOLSET_TYPE) return null;
  const make = (name: string): Toolset => {
    const begun = kind.make(name);
    return { ...begun, toolsetType: withRequired(TOOLSET_TYPE, begun.toolsetType, selected) as Toolset["toolsetType"] };
  };
  return (
    <CreateDialog
      kind={toolsets}
      parent={app}
      title="Create toolset"
      hint="Prefix of the names of its tools."
      nameError={toolsetNameError}
      make={make}
      {...rest}
    >
      {pick}
      <RequiredFields oneof={TOOLSET_TYPE} selected={selected} onChange={setSelected} />
    </CreateDialog>
  );
}

/** The chosen kind, the field that chooses it, and what is filled in for it. */
function useTypeSelection<Kind>(kinds: readonly ToolTypeOption<Kind>[], typeOf: (resource: Kind) => Selected) {
  const [id, setId] = useState(kinds[0]?.id ?? "");
  const kind = kinds.find((one) => one.id === id);
  const [filled, setSelected] = useState<Selected>({});
  const selected = filled.case === id ? filled : kind ? typeOf(kind.make("")) : {};
  const choices = kinds.map(({ id: value, label, description }) => ({ value, label, description }));
  return {
    kind,
    selected,
    setSelected,
    pick: <SelectField label="Type" value={id} choices={choices} onChange={setId} />,
  };
}
