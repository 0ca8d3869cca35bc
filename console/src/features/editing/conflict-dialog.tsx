import type { DescMessage } from "@bufbuild/protobuf";
import { useState } from "react";
import type { Resource } from "../../api/resource-types.ts";
import type { StatusError } from "../../api/status-error.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogButtons } from "../../components/dialog-actions.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { SelectField } from "../../components/field.tsx";
import { fieldLabel } from "../message-form/field-labels.ts";
import { comparedParts } from "../versions/text-parts.ts";
import { type Member, sameMember } from "./members.ts";
import type { ResourceEditor } from "./use-resource-editor.ts";

interface ConflictDialogProps<Kind extends Resource> {
  readonly desc: DescMessage;
  readonly editor: ResourceEditor<Kind>;
}

/** Two people changed the same resource: both texts, field by field, and the choice between them. Nothing is written here. */
export function ConflictDialog<Kind extends Resource>({ desc, editor }: ConflictDialogProps<Kind>) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  // Each rejected save has its own error, so the next attempt opens the dialog again.
  const [putOff, setPutOff] = useState<StatusError>();
  const open = editor.conflict && putOff !== editor.error && editor.base.etag !== editor.server.etag;
  if (!open) return null;
  const contested = editor.changed.filter((member) => !sameMember(desc, member, editor.server, editor.value));
  const choose = ({ localName }: Member, side: string) =>
    setTheirs(new Set(side === "theirs" ? [...theirs, localName] : [...theirs].filter((name) => name !== localName)));
  return (
    <Dialog
      title="Someone else changed this resource"
      open
      wide
      dismissable={false}
      onClose={() => setPutOff(editor.error)}
    >
      <div className="stack">
        <p className="muted">
          Nothing is saved until you decide. Lines with − are theirs, lines with + are yours. Their changes to other
          fields are kept.
        </p>
        {contested.length === 0 && <p>Both made the same changes.</p>}
        {contested.map((member) => (
          <section key={member.name} className="stack tight" aria-label={fieldLabel(member.name)}>
            <div className="row wrap">
              <h3>{fieldLabel(member.name)}</h3>
              <div className="end">
                <SelectField
                  label={`Resolve ${fieldLabel(member.name)}`}
                  hideLabel
                  value={theirs.has(member.localName) ? "theirs" : "mine"}
                  choices={[
                    { value: "mine", label: "Keep mine" },
                    { value: "theirs", label: "Use theirs" },
                  ]}
                  onChange={(side) => choose(member, side)}
                />
              </div>
            </div>
            {comparedParts(desc, member, editor.server, editor.value).map(({ label, before, after }) => (
              <DiffView key={label} label={`${label}: theirs and yours`} before={before} after={after} />
            ))}
          </section>
        ))}
      </div>
      <DialogButtons>
        <Button onPress={() => setPutOff(editor.error)}>Decide later</Button>
        <Button tone="primary" onPress={() => editor.rebase(theirs)}>
          Apply
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
