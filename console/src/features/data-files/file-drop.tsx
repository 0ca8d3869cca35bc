import { Upload } from "lucide-react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { Button } from "../../components/button.tsx";

interface FileDropProps {
  readonly title: string;
  /** Which files are taken. */
  readonly hint: string;
  /** Ends of their names, as `.csv`. */
  readonly types: readonly string[];
  readonly button: string;
  /** Whether several files are taken at once. Default false: the first one of what is dropped. */
  readonly several?: boolean;
  readonly disabled: boolean;
  /** Called with one file at least. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where files are dropped, or chosen with a button. */
export function FileDrop({ title, hint, types, button, several = false, disabled, onFiles }: FileDropProps) {
  const [over, setOver] = useState(false);
  const choose = (chosen: FileList | null) => {
    const files = [...(chosen ?? [])];
    if (files.length > 0 && !disabled) onFiles(several ? files : files.slice(0, 1));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the pointer's way; the button is everybody's
    <div
      className="file-drop"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer.files);
      }}
    >
      <Upload size={22} aria-hidden="true" />
      <div>
        <p className="file-drop-title">{title}</p>
        <p className="muted">{hint}</p>
      </div>
      <FileTrigger acceptedFileTypes={types} allowsMultiple={several} onSelect={choose}>
        <Button tone="primary" isDisabled={disabled}>
          {button}
        </Button>
      </FileTrigger>
    </div>
  );
}
