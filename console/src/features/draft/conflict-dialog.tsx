import type { DescMessage } from "@bufbuild/protobuf";
import { useState } from "react";
import type { Refusal } from "../../api/refusal.ts";
import type { Resource } from "../../api/resource-kind.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DiffView } from "../../components/diff-view.tsx";
import { Pick } from "../../components/field.tsx";
import { inWords } from "../message-form/words.ts";
import { comparedParts } from "../versions/text-parts.ts";
import { type Member, sameMember } from "./members.ts";
import type { Draft } from "./use-draft.ts";

interface ConflictDialogProps<Kind extends Resource> {
  readonly desc: DescMessage;
  readonly draft: Draft<Kind>;
}

/** Two people changed the same resource: both texts, field by field, and the choice between them. Nothing is written here. */
export function ConflictDialog<Kind extends Resource>({ desc, draft }: ConflictDialogProps<Kind>) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  // Each refused attempt has a refusal of its own, so the next attempt asks again.
  const [putOff, setPutOff] = useState<Refusal>();
  const open = draft.conflict && putOff !== draft.refusal && draft.base.etag !== draft.server.etag;
  if (!open) return null;
  const contested = draft.changed.filter((member) => !sameMember(desc, member, draft.server, draft.value));
  const choose = ({ localName }: Member, side: string) =>
    setTheirs(new Set(side === "theirs" ? [...theirs, localName] : [...theirs].filter((name) => name !== localName)));
  return (
    <Dialog
      title="Somebody else changed this meanwhile"
      open
      wide
      dismissable={false}
      onClose={() => setPutOff(draft.refusal)}
    >
      <div className="stack">
        <p className="muted">
          Yours is kept until you decide. Lines with − are theirs, lines with + are yours; what they changed elsewhere
          stays.
        </p>
        {contested.length === 0 && <p>They made the same changes as you.</p>}
        {contested.map((member) => (
          <section key={member.name} className="stack tight" aria-label={inWords(member.name)}>
            <div className="row wrap">
              <h3>{inWords(member.name)}</h3>
              <div className="end">
                <Pick
                  label={`Which ${inWords(member.name)}`}
                  hideLabel
                  value={theirs.has(member.localName) ? "theirs" : "mine"}
                  choices={[
                    { value: "mine", label: "Keep mine" },
                    { value: "theirs", label: "Take theirs" },
                  ]}
                  onChange={(side) => choose(member, side)}
                />
              </div>
            </div>
            {comparedParts(desc, member, draft.server, draft.value).map(({ label, before, after }) => (
              <DiffView key={label} label={`${label}: theirs and yours`} before={before} after={after} />
            ))}
          </section>
        ))}
      </div>
      <div className="actions wrap">
        <Button onPress={() => setPutOff(draft.refusal)}>Decide later</Button>
        <Button tone="primary" onPress={() => draft.rebase(theirs)}>
          Go on with this
        </Button>
      </div>
    </Dialog>
  );
}
