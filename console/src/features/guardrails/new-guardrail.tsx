import { create } from "@bufbuild/protobuf";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { useState } from "react";
import { guardrails } from "../../api/kinds/guardrails.ts";
import { Pick } from "../../components/field.tsx";
import { CreateDialog } from "../resources/create-dialog.tsx";
import { RequiredFields, type Selected, withRequired } from "../resources/required-fields.tsx";
import { GUARDRAIL_KINDS } from "./guardrail-kinds.ts";

interface NewGuardrailProps {
  readonly app: string;
  readonly onCreated: (created: Guardrail) => void;
  readonly onClose: () => void;
}

const TYPE = GuardrailSchema.oneofs[0];

/** Asks for a new guardrail's name, its kind, and what that kind cannot do without. */
export function NewGuardrail({ app, onCreated, onClose }: NewGuardrailProps) {
  const [id, setId] = useState("contentFilter");
  const [filled, setFilled] = useState<Selected>({});
  const begun = GUARDRAIL_KINDS.find((kind) => kind.id === id)?.make() ?? { case: undefined };
  const selected: Selected = filled.case === id ? filled : begun;
  const make = (displayName: string) => {
    const guardrailType = TYPE ? (withRequired(TYPE, begun, selected) as Guardrail["guardrailType"]) : begun;
    return { ...create(GuardrailSchema, { displayName, enabled: true }), guardrailType };
  };
  return (
    <CreateDialog
      kind={guardrails}
      parent={app}
      title="New guardrail"
      make={make}
      onCreated={onCreated}
      onClose={onClose}
    >
      <Pick
        label="Kind"
        value={id}
        choices={GUARDRAIL_KINDS.map(({ id: value, label, description }) => ({ value, label, description }))}
        onChange={setId}
      />
      {TYPE && <RequiredFields oneof={TYPE} selected={selected} onChange={setFilled} />}
    </CreateDialog>
  );
}
