import { Parser } from "htmlparser2";

/** The texts of all elements of a name in an XML document, in order. What is no XML has none. */
export function textsOf(document: Uint8Array, element: string): readonly string[] {
  const texts: string[] = [];
  let inside = false;
  const parser = new Parser(
    {
      onopentag: (name) => {
        inside = name === element;
        if (inside) texts.push("");
      },
      ontext: (text) => {
        if (inside) texts[texts.length - 1] += text;
      },
      onclosetag: () => {
        inside = false;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(new TextDecoder().decode(document));
  return texts;
}

/** The text of the first one; undefined for none. */
export function firstText(document: Uint8Array, element: string): string | undefined {
  return textsOf(document, element)[0];
}
