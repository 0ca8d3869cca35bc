import { Parser } from "htmlparser2";

/** The words of a short piece of HTML, such as a snippet with the found words in bold. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim();
  const pieces: string[] = [];
  const parser = new Parser({ ontext: (piece) => void pieces.push(piece) }, { decodeEntities: true });
  parser.write(html);
  parser.end();
  return pieces.join("").replace(/\s+/g, " ").trim();
}
