import { Upload } from "lucide-react";
import { FileTrigger } from "react-aria-components";
import { Button } from "../../components/button.tsx";
import { useDrop } from "../../components/use-drop.ts";

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
  const choose = (chosen: FileList | null) => {
    const files = [...(chosen ?? [])];
    if (files.length > 0 && !disabled) onFiles(several ? files : files.slice(0, 1));
  };
  const drop = useDrop((transfer) => choose(transfer.files));
  return (
    <div className="file-drop" {...drop}>
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
