import { extname } from "node:path";
import { unreachable } from "#base";
import { parseDocx } from "./parse-docx.ts";
import { parseHtml } from "./parse-html.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { parsePdf } from "./parse-pdf.ts";
import { parseJsonRecords, parseTable } from "./parse-records.ts";
import { DocumentFault, MAX_CHARACTERS, type ParsedDocument } from "./parsed-document.ts";

/** The supported document kinds. */
export const DOCUMENT_KINDS = ["text", "markdown", "html", "pdf", "docx", "csv", "tsv", "json", "jsonl"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

const KIND_BY_EXTENSION: Readonly<Record<string, DocumentKind>> = {
  ".txt": "text",
  ".md": "markdown",
  ".markdown": "markdown",
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".pdf": "pdf",
  ".docx": "docx",
  ".csv": "csv",
  ".tsv": "tsv",
  ".json": "json",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
};
const KIND_BY_MEDIA_TYPE: Readonly<Record<string, DocumentKind>> = {
  "text/plain": "text",
  "text/markdown": "markdown",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "application/json": "json",
  "application/x-ndjson": "jsonl",
};

/** The kind of a file by its name; undefined = unsupported. */
export function kindOfFile(name: string): DocumentKind | undefined {
  return KIND_BY_EXTENSION[extname(name).toLowerCase()];
}

/** The kind of a response by its media type; undefined = unsupported. */
export function kindOfType(contentType: string): DocumentKind | undefined {
  return KIND_BY_MEDIA_TYPE[contentType.split(";")[0]?.trim().toLowerCase() ?? ""];
}

/** Parses the documents in a file. Rejects with `DocumentFault`. */
export async function parseDocument(bytes: Uint8Array, kind: DocumentKind): Promise<readonly ParsedDocument[]> {
  switch (kind) {
    case "pdf":
      return [await parsePdf(bytes)];
    case "docx":
      return [await parseDocx(bytes)];
    default:
      return parseText(decodeText(bytes), kind);
  }
}

function parseText(text: string, kind: Exclude<DocumentKind, "pdf" | "docx">): readonly ParsedDocument[] {
  switch (kind) {
    case "text":
      return [{ title: "", uri: "", sections: [{ heading: "", text: text.slice(0, MAX_CHARACTERS) }], data: {} }];
    case "markdown":
      return [parseMarkdown(text)];
    case "html":
      return [parseHtml(text)];
    case "csv":
      return parseTable(text, ",");
    case "tsv":
      return parseTable(text, "\t");
    case "json":
      return parseJsonRecords(text, false);
    case "jsonl":
      return parseJsonRecords(text, true);
    default:
      return unreachable(kind);
  }
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or else Windows-1252, in which every byte is valid. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 1_000).includes(0)) throw new DocumentFault("it is not a text file");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
