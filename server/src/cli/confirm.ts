import { stderr, stdin } from "node:process";
import { createInterface } from "node:readline/promises";

/** Whether there is a person to ask. */
export function canAsk(): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks the person at the terminal; anything but yes is no. */
export async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
