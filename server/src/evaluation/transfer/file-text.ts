/** The text of a file, or why it has none; `problem` completes "The file …". */
export type FileText = { readonly text: string } | { readonly problem: string };

/** Reads UTF-8, or UTF-16 with its mark, as spreadsheets save it (EVAL-100). */
export function fileText(bytes: Uint8Array): FileText {
  const encoding = markedEncoding(bytes);
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.trim() === "" ? { problem: "is empty." } : { text };
  } catch {
    const [before = ""] = new TextDecoder(encoding).decode(bytes).split("\ufffd", 1);
    const line = before.split("\n").length;
    const problem = `is not text in ${encoding.toUpperCase()}: line ${line} has other bytes. Save the file as "CSV UTF-8", or as JSON or YAML in UTF-8.`;
    return { problem };
  }
}

function markedEncoding([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
