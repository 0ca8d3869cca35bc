import { type DocumentKind, kindOfFile, kindOfType } from "./parse-document.ts";
import { DocumentFault } from "./parsed-document.ts";
import { createParsers } from "./parsers.ts";

/** Reads single files as text, for those who give them to a model. */
export interface DocumentReader {
  /** The supported kind of a file, by its media type, else by its name; undefined for none. */
  kindOf(mimeType: string, fileName: string): DocumentKind | undefined;
  /** The text of a file, a paragraph a line, or why it has none. */
  read(bytes: Uint8Array, kind: DocumentKind): Promise<{ readonly text: string } | { readonly fault: string }>;
  close(): Promise<void>;
}

/** Creates a reader. Files are parsed in a thread within the limits of the index; nothing that they reference is fetched. */
export function createDocumentReader(): DocumentReader {
  const parsers = createParsers();
  return {
    kindOf: (mimeType, fileName) => kindOfType(mimeType) ?? kindOfFile(fileName),
    async read(bytes, kind) {
      try {
        const documents = await parsers.parse(bytes, kind);
        const text = documents
          .map(({ title, chunks }) => {
            const passages = chunks.map((chunk, at) => {
              const isNewSection = chunk.heading !== "" && chunk.heading !== chunks[at - 1]?.heading;
              return isNewSection ? `# ${chunk.heading}\n${chunk.text}` : chunk.text;
            });
            const isHeading = title === chunks[0]?.heading;
            return [isHeading ? "" : title, ...passages].filter(Boolean).join("\n");
          })
          .join("\n\n");
        return text.trim() === "" ? { fault: "it has no text" } : { text };
      } catch (error) {
        if (error instanceof DocumentFault) return { fault: error.message };
        throw error;
      }
    },
    close: () => parsers.close(),
  };
}
