import { FolderUp } from "lucide-react";
import { FileTrigger } from "react-aria-components";
import { Button } from "../../components/button.tsx";
import { DropArea } from "../../components/drop-area.tsx";
import { filesFromDrop, filesFromInput, type PackageFile } from "./package-files.ts";

/** Where a zip or a folder is dropped, or chosen with a button. */
export function DropZone({ onFiles }: { readonly onFiles: (files: readonly PackageFile[]) => void }) {
  const choose = (files: FileList | null) => files && files.length > 0 && onFiles(filesFromInput(files));
  return (
    <DropArea
      icon={<FolderUp size={28} aria-hidden="true" />}
      title="Drop an app package here"
      hint="A ZIP file or a folder"
      onDrop={(dropped) => void filesFromDrop(dropped.items).then(onFiles)}
    >
      <FileTrigger acceptedFileTypes={[".zip", "application/zip"]} onSelect={choose}>
        <Button>Choose ZIP file</Button>
      </FileTrigger>
      <FileTrigger acceptDirectory onSelect={choose}>
        <Button>Choose folder</Button>
      </FileTrigger>
    </DropArea>
  );
}
