import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CitationSchema } from "@frontdesk/protos/gda/context";
import type { Turn } from "./turn.ts";

type Citation = MessageInitShape<typeof CitationSchema>;
type Source = NonNullable<Citation["sources"]>[number];
type Anchor = NonNullable<Citation["anchors"]>[number];

/**
 * Citations of an answer: the matched example query, and the glossary terms of its text and of the question, which the query was written
 * with. Offsets are UTF-8 bytes.
 */
export function citationOf(
  text: string,
  { match, request, history }: Pick<Turn, "match" | "request" | "history">,
): Citation | undefined {
  const sources: Source[] = [];
  const anchors: Anchor[] = [];
  if (match?.query.example && text !== "") {
    sources.push({
      id: "1",
      title: match.query.question,
      sourceType: { case: "exampleQuery", value: match.query.example },
    });
    anchors.push(anchor(0, Buffer.byteLength(text), "1"));
  }
  for (const term of request.context.glossaryTerms) {
    const names = [term.displayName, ...term.labels];
    const found = findFirst(text, names);
    if (!found && (text === "" || !findFirst(history.question, names))) continue;
    const id = String(sources.length + 1);
    sources.push({ id, title: term.displayName, sourceType: { case: "glossaryTerm", value: term } });
    const start = Buffer.byteLength(text.slice(0, found?.index ?? 0));
    anchors.push(anchor(start, start + Buffer.byteLength(found?.[0] ?? text), id));
  }
  return sources.length > 0 ? { sources, anchors } : undefined;
}

function anchor(startOffsetBytes: number, endOffsetBytes: number, id: string): Anchor {
  return {
    anchorType: {
      case: "textMessageAnchor",
      value: { partIndex: 0, startOffsetBytes, endOffsetBytes, sourceIds: [id] },
    },
  };
}

function findFirst(text: string, names: readonly string[]): RegExpExecArray | undefined {
  for (const name of names) {
    const found = findWord(text, name);
    if (found) return found;
  }
  return undefined;
}

/** The first occurrence of a term as a whole word, in any case. */
function findWord(text: string, term: string): RegExpExecArray | undefined {
  if (term === "") return undefined;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(term)}(?![\\p{L}\\p{N}])`, "iu");
  return pattern.exec(text) ?? undefined;
}
