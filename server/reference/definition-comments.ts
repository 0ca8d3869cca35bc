import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const GENERATED = join(import.meta.dirname, "..", "..", "protos", "gen");
const COMMENT =
  /\/\*\*((?:(?!\*\/).)*?)@generated from (message|field:|enum value:|enum|rpc|service) ([^\n]+)\n\s*\*\//gs;

/**
 * What the definitions say of their messages (`google.cloud.ces.v1beta.App`), fields (`….App.display_name`), enums, their values, and
 * methods (`….AgentService.GetApp`). The server's own types are generated from the same definitions, which keep the comments.
 */
export function readComments(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(GENERATED, { recursive: true, encoding: "utf8" }))
    if (file.endsWith("_pb.d.ts")) readFile(join(GENERATED, file), found);
  return found;
}

function readFile(path: string, found: Map<string, string>): void {
  let owner = "";
  for (const [, comment = "", kind = "", subject = ""] of readFileSync(path, "utf8").matchAll(COMMENT)) {
    if (kind === "message" || kind === "enum") owner = subject;
    const name = kind.endsWith(":") ? `${owner}.${/(\w+) = -?\d+/.exec(subject)?.[1]}` : subject;
    found.set(name, textOf(comment));
  }
}

function textOf(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}
