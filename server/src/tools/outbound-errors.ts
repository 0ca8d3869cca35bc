import { OutboundError } from "#outbound";

/** Longest quotation of another server's error, characters. */
const MAX_QUOTED = 300;

/**
 * The message of an `OutboundError` among the causes of a protocol library's error, e.g. a private address or a timeout. It has no
 * full stop, because it goes into a sentence. Undefined when the error is the server's.
 */
export function outboundErrorMessage(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < 8; depth++) {
    if (current instanceof OutboundError) return current.message.replace(/\.$/, "");
    current = current.cause;
  }
  return undefined;
}

/** Another server's error text, shortened to one line. HTML is not quoted. */
export function quoteResponse(text: string): string {
  if (/<(?:!doctype|html)\b/i.test(text)) return "the server answered with a web page";
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length > MAX_QUOTED ? `${flat.slice(0, MAX_QUOTED)}…` : flat;
}
