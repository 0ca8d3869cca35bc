import { Upload } from "lucide-react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { Button } from "../../components/button.tsx";
import { FILE_TYPES } from "./upload-file.ts";

interface FileDropProps {
  readonly uploading: string | undefined;
  readonly onFile: (file: File) => void;
}

/** Where a file with tables is dropped, or chosen with a button. */
export function FileDrop({ uploading, onFile }: FileDropProps) {
  const [over, setOver] = useState(false);
  const choose = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) onFile(file);
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
        <p className="file-drop-title">{uploading ? `Reading ${uploading}…` : "Drop a file here"}</p>
        <p className="muted">CSV, Excel, Parquet or SQLite, up to 64 MB</p>
      </div>
      <FileTrigger acceptedFileTypes={FILE_TYPES} onSelect={choose}>
        <Button tone="primary" isDisabled={uploading !== undefined}>
          Choose file
        </Button>
      </FileTrigger>
    </div>
  );
}
