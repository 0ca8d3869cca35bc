import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { SelectField, TextField } from "../../../components/field.tsx";
import type { FormField } from "./payload-views.ts";

interface PayloadFormProps {
  readonly heading: string;
  readonly fields: readonly FormField[];
  readonly live: boolean;
  readonly onSendText: (text: string) => void;
}

/** A form that an agent shows; what is filled in goes back as words, a line a field. */
export function PayloadForm({ heading, fields, live, onSendText }: PayloadFormProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const filled = fields.filter(({ name }) => values[name]);
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        onSendText(filled.map(({ name, label }) => `${label}: ${values[name]}`).join("\n"));
      }}
    >
      {heading && <p className="payload-title">{heading}</p>}
      {fields.map(({ name, label, choices }, at) => {
        const change = (value: string) => setValues((before) => ({ ...before, [name]: value }));
        const choicesOf = ["", ...choices].map((value) => ({ value, label: value || "Choose" }));
        return choices.length > 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a form never change
          <SelectField key={at} label={label} value={values[name] ?? ""} choices={choicesOf} onChange={change} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a form never change
          <TextField key={at} label={label} value={values[name] ?? ""} onChange={change} disabled={!live} />
        );
      })}
      <div>
        <Button type="submit" small isDisabled={!live || filled.length === 0}>
          Submit
        </Button>
      </div>
    </form>
  );
}
