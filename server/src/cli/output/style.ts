import { styleText } from "node:util";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** A text with a style, where the stream is a terminal that shows it. NO_COLOR turns styles off, FORCE_COLOR on. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}

/** Whether styles are shown there. */
export function hasColours(stream: NodeJS.WriteStream): boolean {
  return styled("bold", "x", stream) !== "x";
}
