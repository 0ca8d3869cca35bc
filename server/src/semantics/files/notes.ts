import type { ImportNote, Located } from "./located.ts";

/** Collects what an import does not carry. */
export interface Notes {
  readonly all: readonly ImportNote[];
  add(at: Pick<Located, "file" | "line">, message: string): void;
  /** Tells keys of a map that nothing reads, but for those without a value. */
  unread(node: Located, read: readonly string[], what: string): void;
}

/** Notes of one import. */
export function createNotes(): Notes {
  const all: ImportNote[] = [];
  return {
    all,
    add: ({ file, line }, message) => void all.push({ file, line, message }),
    unread(node, read, what) {
      for (const [key, value] of node.entries())
        if (!read.includes(key) && !isEmpty(value.value)) this.add(value, `${what}: ${key} is not carried`);
    },
  };
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}
