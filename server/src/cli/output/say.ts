/** Control characters but line ends and tabs, with what makes one of them a style that commands set. */
const CONTROLS = /[^\P{Cc}\n\t](\[(?:0|1|2|22|3[1236]|39)m)?/gu;

/**
 * Writes text for people. What it quotes was said by callers, models and packages: their control characters are left out, so that
 * none moves the cursor, hides a line, or writes to the clipboard of who looks at it.
 */
export function say(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(text.replaceAll(CONTROLS, (found, style = "") => (found === `\u001b${style}` && style ? found : style)));
}

/** What a person should know beside the result. */
export function warn(text: string): void {
  say(`warning: ${text}\n`, process.stderr);
}
