import { FileTrigger } from "react-aria-components";
import { Button } from "../../components/button.tsx";
import { WhileEditing } from "../../components/read-only.tsx";
import { useFormContext } from "./form-context.ts";

interface BytesEditorProps {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (next: unknown) => void;
  readonly path: string;
}

/** Bytes come from a file. */
export function BytesEditor({ label, value, onChange, path }: BytesEditorProps) {
  const { errors } = useFormContext();
  const size = value instanceof Uint8Array ? value.length : 0;
  const read = async (files: FileList | null) => {
    const file = files?.[0];
    if (file) onChange(new Uint8Array(await file.arrayBuffer()));
  };
  return (
    <div className="field">
      <span className="label">{label}</span>
      <div className="row">
        <WhileEditing>
          <FileTrigger onSelect={(files) => void read(files)}>
            <Button small>Choose file for {label}</Button>
          </FileTrigger>
        </WhileEditing>
        <span className="muted">{size === 0 ? "Empty" : `${size.toLocaleString()} bytes`}</span>
      </div>
      {errors.get(path) && <span className="invalid">{errors.get(path)}</span>}
    </div>
  );
}
