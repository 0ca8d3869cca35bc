import { type ListedOperation, listOperations } from "./list-operations.ts";
import { type ReadDocument, readDocument } from "./read-document.ts";

/** A document and its operations, or why it cannot be read. */
export type ReadOperations =
  | {
      readonly kind: "document";
      readonly root: Extract<ReadDocument, { kind: "document" }>["root"];
      readonly operations: readonly ListedOperation[];
    }
  | { readonly kind: "unreadable"; readonly problem: string };

/**
 * Reads a document once as long as `owner`, the message that holds its text, lives: messages are never changed. Another message
 * with the same text (a toolset after a change elsewhere in its app) gets what was read for the first, if that lives still.
 */
export function readOperations(owner: object, text: string): ReadOperations {
  const known = byOwner.get(owner) ?? byText.get(text)?.deref();
  const made = known ?? read(text);
  byOwner.set(owner, made);
  if (!known) remember(text, made);
  return made;
}

const byOwner = new WeakMap<object, ReadOperations>();
/** The last texts that were read, the latest last. */
const byText = new Map<string, WeakRef<ReadOperations>>();
const MOST_TEXTS = 16;

function read(text: string): ReadOperations {
  const document = readDocument(text);
  return document.kind === "document" ? { ...document, operations: listOperations(document.root) } : document;
}

function remember(text: string, made: ReadOperations): void {
  byText.delete(text);
  byText.set(text, new WeakRef(made));
  for (const oldest of byText.keys()) if (byText.size > MOST_TEXTS) byText.delete(oldest);
}
