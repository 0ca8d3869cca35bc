import { nodeProblems } from "./document-problems.ts";
import { type ListedOperation, listOperations } from "./list-operations.ts";
import { type ReadDocument, readAtOnce } from "./read-document.ts";
import { createYamlReader } from "./yaml-reader.ts";

/** A document and its operations, or why it cannot be read. */
export type OpenApiDocument =
  | {
      readonly kind: "document";
      readonly root: Extract<ReadDocument, { kind: "document" }>["root"];
      readonly operations: readonly ListedOperation[];
      /** What in it leads nowhere; looked for when it is asked for the first time. */
      readonly problems: () => Promise<readonly string[]>;
    }
  | { readonly kind: "unreadable"; readonly problem: string };

/** The OpenAPI documents of all apps, as they were read. */
export interface OpenApiDocuments {
  /**
   * Reads a document once as long as `owner`, the message that holds its text, lives: messages are never changed. Another message
   * with the same text (a toolset after a change elsewhere in its app) gets what was read for the first, if that lives still.
   */
  read(owner: { readonly openApiSchema: string }): Promise<OpenApiDocument>;
}

/** The last texts that are remembered by themselves. */
const MOST_TEXTS = 16;

/** Creates the memory; nothing is read before it is asked for. */
export function createOpenApiDocuments(): OpenApiDocuments {
  const readLong = createYamlReader();
  const byOwner = new WeakMap<object, Promise<OpenApiDocument>>();
  /** The latest last. */
  const byText = new Map<string, WeakRef<Promise<OpenApiDocument>>>();
  return {
    read: (owner) => {
      const { openApiSchema: text } = owner;
      const made = byOwner.get(owner) ?? byText.get(text)?.deref() ?? read(text);
      byOwner.set(owner, made);
      byText.delete(text);
      byText.set(text, new WeakRef(made));
      for (const oldest of byText.keys()) if (byText.size > MOST_TEXTS) byText.delete(oldest);
      return made;
    },
  };

  async function read(text: string): Promise<OpenApiDocument> {
    const document = readAtOnce(text) ?? (await readLong(text));
    if (document.kind === "unreadable") return document;
    let problems: Promise<readonly string[]> | undefined;
    return {
      ...document,
      operations: listOperations(document.root),
      problems: () => {
        problems ??= nodeProblems(document.root);
        return problems;
      },
    };
  }
}
