const EVENT_TEXT = /^\s*<event>([^<]+)<\/event>\s*$/;

/** The event that a text stands for: the hosted product stores one at the start as `<event>welcome</event>` (EVAL-5). Undefined for other texts. */
export function eventOfText(text: string): string | undefined {
  return EVENT_TEXT.exec(text)?.[1];
}
