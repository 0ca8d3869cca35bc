import { Writable } from "node:stream";
import type { JsonObject, JsonValue } from "./json.ts";

/** Levels of pino by their number, in the width of the longest. */
const LEVELS: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  10: ["TRACE", 2],
  20: ["DEBUG", 2],
  30: ["INFO ", 32],
  40: ["WARN ", 33],
  50: ["ERROR", 31],
  60: ["FATAL", 31],
};

/**
 * A destination of pino that writes an entry as a line for people: time of the day, level, message, then its fields as `name=value`, and
 * the stack of an error below. What is no entry is written as it is.
 */
export function createLineWriter(write: (text: string) => void, colours: boolean): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      write(toLines(String(chunk), colours));
      done();
    },
  });
}

function toLines(text: string, colours: boolean): string {
  let entry: JsonObject;
  try {
    entry = JSON.parse(text) as JsonObject;
  } catch {
    return text;
  }
  const styled = (code: number, part: string) => (colours && part ? `\u001b[${code}m${part}\u001b[0m` : part);
  const { level, time, msg, err, ...fields } = entry;
  const [name, colour] = LEVELS[Number(level)] ?? ["     ", 0];
  const { stack, ...fault } = (err ?? {}) as JsonObject;
  const named = { ...fields, ...(err !== undefined && stack === undefined && { err: fault }) };
  const shown = Object.entries(named).map(([key, value]) => `${key}=${shortText(value as JsonValue)}`);
  const line = [clockTime(time), styled(colour, name), String(msg ?? ""), styled(2, shown.join(" "))];
  const below = typeof stack === "string" ? `\n${stack.replaceAll(/^/gm, "    ")}` : "";
  return `${line.filter((part) => part !== "").join("  ")}${below}\n`;
}

/** `21:32:05.123`, in the time zone of the machine. */
function clockTime(time: JsonValue | undefined): string {
  const date = new Date(String(time));
  if (Number.isNaN(date.getTime())) return "";
  const milliseconds = String(date.getMilliseconds()).padStart(3, "0");
  return `${date.toTimeString().slice(0, 8)}.${milliseconds}`;
}

/** Text without spaces as it is, everything else as JSON. */
function shortText(value: JsonValue): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
