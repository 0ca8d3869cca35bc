import { FolderUp } from "lucide-react";
import { FileTrigger } from "react-aria-components";
import { Button } from "../../components/button.tsx";
import { useDrop } from "../../components/use-drop.ts";
import { filesFromDrop, filesFromInput, type PackageFile } from "./package-files.ts";
import "../../styles/edit/packages.css";

/** Where a zip or a folder is dropped, or chosen with a button. */
export function DropZone({ onFiles }: { readonly onFiles: (files: readonly PackageFile[]) => void }) {
  const drop = useDrop((transfer) => void filesFromDrop(transfer.items).then(onFiles));
  const choose = (files: FileList | null) => files && files.length > 0 && onFiles(filesFromInput(files));
  return (
    <div className="drop-zone" {...drop}>
      <FolderUp size={28} aria-hidden="true" />
      <p className="drop-zone-words">Drop an app package here: a ZIP file or a folder.</p>
      <div className="row wrap">
        <FileTrigger acceptedFileTypes={[".zip", "application/zip"]} onSelect={choose}>
          <Button>Choose ZIP file</Button>
        </FileTrigger>
        <FileTrigger acceptDirectory onSelect={choose}>
          <Button>Choose folder</Button>
        </FileTrigger>
      </div>
    </div>
  );
}
