import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Code, ConnectError, toErrorBody } from "#status";
import { cell, code, paragraphs, type ReferencePage, table } from "./markdown.ts";

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "errors.md"), "utf8");

/** Words that people search for, by code. */
const IN_WORDS: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT: "Bad request",
  FAILED_PRECONDITION: "Not in this state",
  UNAUTHENTICATED: "Not signed in",
  PERMISSION_DENIED: "Forbidden",
  NOT_FOUND: "Not found",
  ALREADY_EXISTS: "Name is taken",
  ABORTED: "Changed by somebody else",
  RESOURCE_EXHAUSTED: "Too many requests, quota exceeded",
  CANCELLED: "Cancelled",
  INTERNAL: "Fault of the server",
  UNIMPLEMENTED: "Not supported",
  UNAVAILABLE: "Try again later",
  DEADLINE_EXCEEDED: "Timed out",
};

/** A page for each code that the server answers with: its number on each protocol, when, and what to do for each reason. */
export function errorPages(): readonly ReferencePage[] {
  const codes = Object.values(Code).filter((value) => typeof value === "number");
  const rows = rowsOf(PAGE);
  return codes.flatMap((grpc) => {
    const { status, code: http } = toErrorBody(new ConnectError("", grpc)).error;
    const row = rows.get(status);
    if (!row) return [];
    return [{ path: `reference/errors/${status}`, title: status, text: errorPage(status, { http, grpc }, row, rows) }];
  });
}

function errorPage(
  status: string,
  { http, grpc }: { readonly http: number; readonly grpc: number },
  row: readonly string[],
  rows: ReadonlyMap<string, readonly string[]>,
): string {
  const reasons =
    status === "FAILED_PRECONDITION"
      ? [
          ...(PAGE.split("Reasons of FAILED_PRECONDITION")[1]
            ?.split("## ")[0]
            ?.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm) ?? []),
        ]
          .map(([, name = ""]) => name)
          .filter((name) => !/\((?:UNAVAILABLE|UNAUTHENTICATED|PERMISSION_DENIED)\)/.test(rows.get(name)?.[1] ?? ""))
      : (row[3]?.match(/`[A-Z_]+`/g) ?? []);
  return paragraphs(
    `# Error ${http}: ${IN_WORDS[status] ?? status} (${status})`,
    `For whoever got this error. On REST it is HTTP ${http}, on gRPC code ${grpc}, ${code(status)}.`,
    `**When.** ${rebase(row[2] ?? "")}.`,
    reasons.length > 0 ? "## Reasons" : "",
    table(
      ["reason in ErrorInfo", "what to do"],
      reasons.map((reason) => [reason, rebase(rows.get(reason)?.[1] ?? "as the message says")]),
    ),
    "The form of errors, warnings of imports, and what goes wrong inside a turn: [errors](../../errors.md).",
  );
}

/** Rows of the tables of docs/errors.md by their first cell. */
function rowsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = page.split("\n").flatMap((line) => (line.startsWith("| ") ? [line.slice(2, -2).split(" | ")] : []));
  return new Map(rows.map((cells) => [cells[0] ?? "", cells]));
}

function rebase(text: string): string {
  return cell(text).replace(/\]\((?!https?:|#)([^)]+)\)/g, "](../../$1)");
}
