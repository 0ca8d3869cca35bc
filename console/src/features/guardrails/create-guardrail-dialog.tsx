import { create } from "@bufbuild/protobuf";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { useState } from "react";
import { guardrails } from "../../api/resource-types.ts";
import { SelectField } from "../../components/field.tsx";
import { CreateDialog } from "../resources/create-dialog.tsx";
import { RequiredFields, type Selected, withRequired } from "../resources/required-fields.tsx";
import { GUARDRAIL_TYPES } from "./guardrail-types.ts";

interface CreateGuardrailDialogProps {
  readonly app: string;
  readonly onCreated: (created: Guardrail) => void;
  readonly onClose: () => void;
}

const TYPE = GuardrailSchema.oneofs[0];

/** Asks for a new guardrail's name, its kind, and what that kind cannot do without. */
export function CreateGuardrailDialog({ app, onCreated, onClose }: CreateGuardrailDialogProps) {
  const [id, setId] = useState("contentFilter");
  const [filled, setFilled] = useState<Selected>({});
  const begun = GUARDRAIL_TYPES.find((kind) => kind.id === id)?.make() ?? { case: undefined };
  const selected: Selected = filled.case === id ? filled : begun;
  const make = (displayName: string) => {
    const guardrailType = TYPE ? (withRequired(TYPE, begun, selected) as Guardrail["guardrailType"]) : begun;
    return { ...create(GuardrailSchema, { displayName, enabled: true }), guardrailType };
  };
  return (
    <CreateDialog
      kind={guardrails}
      parent={app}
      title="Create guardrail"
      make={make}
      onCreated={onCreated}
      onClose={onClose}
    >
      <SelectField
        label="Type"
        value={id}
        choices={GUARDRAIL_TYPES.map(({ id: value, label, description }) => ({ value, label, description }))}
        onChange={setId}
      />
      {TYPE && <RequiredFields oneof={TYPE} selected={selected} onChange={setFilled} />}
    </CreateDialog>
  );
}
