import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Field, Pick } from "../../../components/field.tsx";
import type { FormField } from "./payload-view-of.ts";

interface PayloadFormProps {
  readonly heading: string;
  readonly fields: readonly FormField[];
  readonly live: boolean;
  readonly onSay: (text: string) => void;
}

/** A form that an agent shows; what is filled in goes back as words, a line a field. */
export function PayloadForm({ heading, fields, live, onSay }: PayloadFormProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const filled = fields.filter(({ name }) => values[name]);
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        onSay(filled.map(({ name, label }) => `${label}: ${values[name]}`).join("\n"));
      }}
    >
      {heading && <p className="payload-title">{heading}</p>}
      {fields.map(({ name, label, choices }, at) => {
        const change = (value: string) => setValues((before) => ({ ...before, [name]: value }));
        const choicesOf = ["", ...choices].map((value) => ({ value, label: value || "Choose" }));
        return choices.length > 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a form never change
          <Pick key={at} label={label} value={values[name] ?? ""} choices={choicesOf} onChange={change} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a form never change
          <Field key={at} label={label} value={values[name] ?? ""} onChange={change} disabled={!live} />
        );
      })}
      <div>
        <Button type="submit" small isDisabled={!live || filled.length === 0}>
          Send the form
        </Button>
      </div>
    </form>
  );
}
