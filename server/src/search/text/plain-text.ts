import { Parser } from "htmlparser2";

/** The text of an HTML fragment, such as a snippet with matches in bold. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim();
  const pieces: string[] = [];
  const parser = new Parser({ ontext: (piece) => void pieces.push(piece) }, { decodeEntities: true });
  parser.write(html);
  parser.end();
  return pieces.join("").replace(/\s+/g, " ").trim();
}
