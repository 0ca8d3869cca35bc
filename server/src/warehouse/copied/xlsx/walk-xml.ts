import { Parser } from "htmlparser2";
import { TableFileFault } from "../table-file.ts";

/** Elements deeper than any of a workbook's. */
const MAX_DEPTH = 64;

/** What is done at elements, by their names without prefix. */
export interface XmlVisitor {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Reads a part as it comes; document types and the entities they declare mean nothing here. */
export async function walkXml(pieces: AsyncIterable<string>, visitor: XmlVisitor): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new TableFileFault("its XML is nested too deeply");
        visitor.open?.(bare(name), attributes);
      },
      onclosetag(name) {
        depth--;
        visitor.close?.(bare(name));
      },
      ontext: (text) => visitor.text?.(text),
    },
    { xmlMode: true },
  );
  for await (const piece of pieces) parser.write(piece);
  parser.end();
}

function bare(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
