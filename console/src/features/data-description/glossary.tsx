import { create } from "@bufbuild/protobuf";
import { type GlossaryTerm, GlossaryTermSchema } from "@frontdesk/protos/gda/context";
import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import type { DescriptionProps } from "./describe-agent.tsx";

/** Words of the business and what they mean. */
export function Glossary({ editor, readOnly }: DescriptionProps) {
  const { context, changeContext, errorOf } = editor;
  const change = (at: number, of: Partial<Pick<GlossaryTerm, "displayName" | "description">>) =>
    changeContext((draft) => Object.assign(draft.glossaryTerms[at] ?? {}, of));
  return (
    <div className="stack">
      {context.glossaryTerms.length === 0 && (
        <p className="muted">Words that people use and tables do not have: “big order”, “active customer”.</p>
      )}
      {context.glossaryTerms.map(({ displayName, description }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: terms have no other identity while they are typed
        <div key={at} className="describe-term">
          <TextField
            label="Term"
            value={displayName}
            disabled={readOnly}
            error={errorOf(`glossary_terms[${at}].display_name`)}
            onChange={(text) => change(at, { displayName: text })}
          />
          <TextField
            label="Meaning"
            value={description}
            disabled={readOnly}
            error={errorOf(`glossary_terms[${at}].description`)}
            onChange={(text) => change(at, { description: text })}
          />
          {!readOnly && (
            <IconButton
              label={`Remove ${displayName || "the term"}`}
              onPress={() => changeContext((draft) => void draft.glossaryTerms.splice(at, 1))}
            >
              <Trash2 size={16} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ))}
      {!readOnly && (
        <div>
          <Button onPress={() => changeContext((draft) => void draft.glossaryTerms.push(create(GlossaryTermSchema)))}>
            <Plus size={16} aria-hidden="true" /> Add term
          </Button>
        </div>
      )}
    </div>
  );
}
