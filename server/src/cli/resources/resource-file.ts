import { readFileSync } from "node:fs";
import type { JsonObject } from "@bufbuild/protobuf";
import { parse } from "yaml";
import { isJsonObject } from "#base";
import { CommandError, type CommandInput } from "../command.ts";

/** The resource in `--file`, in JSON or YAML. Throws `CommandError`. */
export function resourceIn({ flags: { file } }: CommandInput): JsonObject {
  if (typeof file !== "string")
    throw new CommandError("--file is missing: the resource as JSON or YAML; - for standard input.");
  const text = textOf(file);
  let content: unknown;
  try {
    content = file.endsWith(".json") ? JSON.parse(text.replace(/^\uFEFF/, "")) : parse(text);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${faultOf(error)}.`);
  }
  if (isJsonObject(content)) return content as JsonObject;
  throw new CommandError(`${file} has no resource: expected an object with its fields.`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** What a parser says, in one line: that of YAML adds the lines of the file. */
function faultOf(error: unknown): string {
  const { message } = error as Error;
  const said = error instanceof SyntaxError ? message.replaceAll(/\s+/g, " ") : message.split("\n", 1)[0];
  return said?.replace(/[:.]$/, "") ?? "";
}
