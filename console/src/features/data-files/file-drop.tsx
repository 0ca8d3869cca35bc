import { Upload } from "lucide-react";
import { FileTrigger } from "react-aria-components";
import { Button } from "../../components/button.tsx";
import { DropArea } from "../../components/drop-area.tsx";

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
  return (
    <DropArea
      icon={<Upload size={22} aria-hidden="true" />}
      title={title}
      hint={hint}
      onDrop={(dropped) => choose(dropped.files)}
    >
      <FileTrigger acceptedFileTypes={types} allowsMultiple={several} onSelect={choose}>
        <Button tone="primary" isDisabled={disabled}>
          {button}
        </Button>
      </FileTrigger>
    </DropArea>
  );
}
