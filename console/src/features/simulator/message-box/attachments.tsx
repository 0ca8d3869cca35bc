import { X } from "lucide-react";
import { IconButton } from "../../../components/button.tsx";
import { FileView } from "../file-view.tsx";
import type { TurnFile } from "../turn-input.ts";

interface AttachmentsProps {
  readonly files: readonly TurnFile[];
  /** Why some files were not attached. */
  readonly problems: readonly string[];
  readonly onRemove: (at: number) => void;
}

/** The files that go along with the next message. */
export function Attachments({ files, problems, onRemove }: AttachmentsProps) {
  return (
    <>
      {files.length > 0 && (
        <ul className="attachments" aria-label="Attached files">
          {files.map((file, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may be alike in everything
            <li key={at}>
              <FileView file={file} small />
              <IconButton small label={`Remove ${file.name}`} onPress={() => onRemove(at)}>
                <X size={14} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <p className="invalid" role="alert">
          {problems.join(" ")}
        </p>
      )}
    </>
  );
}
