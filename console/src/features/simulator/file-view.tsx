import { File as FileIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { IMAGE_TYPES, type TurnFile } from "./turn-input.ts";
import "../../styles/simulator/files.css";

interface FileViewProps {
  readonly file: TurnFile;
  readonly small?: boolean;
}

/** A file: pictures as such, everything else by name and size. Only types that cannot carry code are shown as pictures. */
export function FileView({ file, small = false }: FileViewProps) {
  const address = useObjectUrl(file);
  const [broken, setBroken] = useState(false);
  if (IMAGE_TYPES.includes(file.mimeType) && !broken) {
    return (
      <img
        className={small ? "file-picture small" : "file-picture"}
        src={address}
        alt={file.name || "Image"}
        onError={() => setBroken(true)}
      />
    );
  }
  return (
    <span className="file-chip">
      <FileIcon size={16} aria-hidden="true" />
      <span className="truncate">{file.name || "File"}</span>
      <span className="muted">
        {file.mimeType}, {sizeOf(file.data.byteLength)}
      </span>
    </span>
  );
}

function useObjectUrl({ data, mimeType }: TurnFile): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!IMAGE_TYPES.includes(mimeType)) return;
    const made = URL.createObjectURL(new Blob([data as BlobPart], { type: mimeType }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data, mimeType]);
  return address;
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
