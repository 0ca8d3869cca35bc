import { OutboundError } from "#outbound";

/** Longest piece of a stranger's words that is repeated, characters. */
const MAX_QUOTED = 300;

/**
 * Our own refusal under an error of a protocol's library, such as a private address or a time-out: it names cause and fix.
 * Without a full stop, as it goes into a sentence. Undefined when the other side is to blame.
 */
export function outboundErrorMessage(error: unknown): string | undefined {
  let each = error;
  for (let depth = 0; each instanceof Error && depth < 8; depth++) {
    if (each instanceof OutboundError) return each.message.replace(/\.$/, "");
    each = each.cause;
  }
  return undefined;
}

/** What another server said of its failure, short and on one line. A web page says nothing. */
export function quoteResponse(text: string): string {
  if (/<(?:!doctype|html)\b/i.test(text)) return "the server answered a web page";
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length > MAX_QUOTED ? `${flat.slice(0, MAX_QUOTED)}…` : flat;
}
