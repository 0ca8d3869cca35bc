import { X } from "lucide-react";
import { IconButton } from "../../../components/button.tsx";
import { FileView } from "../file-view.tsx";
import type { TurnFile } from "../turn-input.ts";
import { MAX_BYTES } from "./read-files.ts";

interface AttachmentsProps {
  readonly files: readonly TurnFile[];
  /** Names of files that did not fit. */
  readonly tooLarge: readonly string[];
  readonly onRemove: (at: number) => void;
}

/** The files that go along with the next message. */
export function Attachments({ files, tooLarge, onRemove }: AttachmentsProps) {
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
      {tooLarge.length > 0 && (
        <p className="invalid" role="alert">
          Too large: {tooLarge.join(", ")}. Attachments are limited to {MAX_BYTES / 1_000_000} MB per message.
        </p>
      )}
    </>
  );
}
