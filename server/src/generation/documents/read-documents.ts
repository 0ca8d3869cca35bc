import type { FileContext } from "@frontdesk/protos/ces/file_context";
import type { DocumentReader } from "#search";
import { type FieldViolation, invalidArgument } from "#status";
import { MAX_DOCUMENT_CHARACTERS, MAX_FILE_BYTES, MAX_FILES } from "../limits.ts";

/** A document of a request, as text. */
export interface ReadDocument {
  readonly fileName: string;
  readonly text: string;
}

/** The documents of a request, and what a model does not get of them. */
interface ReadDocuments {
  readonly documents: readonly ReadDocument[];
  /** One sentence each, for the author. */
  readonly notes: readonly string[];
}

/** What is wrong with files before they are read. `field` is the path of their list. */
export function fileViolations(
  files: readonly FileContext[],
  field: string,
  reader: DocumentReader,
): readonly FieldViolation[] {
  if (files.length > MAX_FILES) {
    return [{ field, description: `There are ${files.length} files; at most ${MAX_FILES} in one request.` }];
  }
  return files.flatMap(({ file }, position) => {
    const place = `${field}[${position}].file_bytes`;
    if (file.case !== "fileBytes") return [{ field: place, description: "Required field is not set." }];
    const { fileName, mimeType, data } = file.value;
    if (data.length > MAX_FILE_BYTES)
      return [
        { field: `${place}.data`, description: `${fileName} has ${data.length} bytes; at most ${MAX_FILE_BYTES}.` },
      ];
    if (reader.kindOf(mimeType, fileName)) return [];
    const description = `${fileName} is of type '${mimeType}', which cannot be read. Give ${SUPPORTED}.`;
    return [{ field: `${place}.mime_type`, description }];
  });
}

const SUPPORTED = "text, Markdown, HTML, PDF, Word (docx), CSV, TSV, JSON or JSON lines";

/** Reads the files of a request. INVALID_ARGUMENT names each that has no text, or cannot be read. */
export async function readDocuments(
  files: readonly FileContext[],
  field: string,
  reader: DocumentReader,
): Promise<ReadDocuments> {
  const violations: FieldViolation[] = [];
  const documents: ReadDocument[] = [];
  const notes: string[] = [];
  let left = MAX_DOCUMENT_CHARACTERS;
  for (const [position, { file }] of files.entries()) {
    if (file.case !== "fileBytes") continue;
    const { fileName, mimeType, data } = file.value;
    const kind = reader.kindOf(mimeType, fileName);
    const found = kind ? await reader.read(data, kind) : { fault: "its type is not known" };
    if ("fault" in found) {
      const description = `${fileName} cannot be read: ${found.fault}.`;
      violations.push({ field: `${field}[${position}].file_bytes.data`, description });
      continue;
    }
    const text = found.text.slice(0, left);
    left -= text.length;
    if (text.length < found.text.length) notes.push(cutNote(fileName, text.length, found.text.length));
    documents.push({ fileName, text });
  }
  if (violations.length > 0) throw invalidArgument(violations);
  return { documents, notes };
}

function cutNote(fileName: string, read: number, all: number): string {
  const figures = `${read.toLocaleString("en")} of ${all.toLocaleString("en")} characters`;
  return `${fileName}: ${figures} were read; all files together may have ${MAX_DOCUMENT_CHARACTERS.toLocaleString("en")}.`;
}
