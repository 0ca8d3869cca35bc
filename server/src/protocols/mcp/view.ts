import type { ToolKind } from "./annotations.ts";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";

/** The form of schemas: for every client, the same with fewer words, or the form of the hosted server. */
type SchemaForm = "portable" | "brief" | "google";

/** Which tools the address of an endpoint shows, and how. The query of the address selects it. */
export interface View {
  /** Kinds of tools. Default all. */
  readonly kinds: ReadonlySet<ToolKind>;
  readonly schemas: SchemaForm;
  /** Whether only the hosted server's tools are shown. Default false. */
  readonly hostedOnly: boolean;
  /** Whether tools have output schemas. Default true, false for the brief form. */
  readonly outputs: boolean;
  /** Validate calls that would change or run something, and do not execute them. Default false. */
  readonly dryRun: boolean;
  /** Tools on one page of `tools/list`. Default all of them. */
  readonly pageSize: number;
}

const PROFILES: Readonly<Record<string, readonly ToolKind[]>> = {
  read: ["read"],
  edit: ["read", "edit"],
  run: ["read", "run"],
  all: ["read", "edit", "run"],
  google: ["read", "edit", "run"],
};

/** The view of the query of an address. Throws `JsonRpcError` with the valid choices. */
export function viewOf(query: URLSearchParams): View {
  const profile = choice(query, "profile", Object.keys(PROFILES)) ?? "all";
  const google = profile === "google";
  const defaultForm = google ? "google" : profile === "read" ? "brief" : "portable";
  const schemas = choice(query, "schemas", ["portable", "brief", "google"]) ?? defaultForm;
  const outputs = choice(query, "outputs", ["shallow", "none"]) ?? (schemas === "brief" ? "none" : "shallow");
  return {
    kinds: new Set(PROFILES[profile]),
    schemas,
    hostedOnly: google,
    outputs: outputs === "shallow",
    dryRun: (choice(query, "dryRun", ["1", "0", "true", "false"]) ?? "0").match(/1|true/) !== null,
    pageSize: pageSizeOf(query.get("pageSize")),
  };
}

/** The view of an address without a query. */
export const DEFAULT_VIEW: View = viewOf(new URLSearchParams());

function choice<Choice extends string>(query: URLSearchParams, name: string, choices: readonly Choice[]) {
  const value = query.get(name);
  if (value === null) return undefined;
  const chosen = choices.find((each) => each === value);
  if (chosen !== undefined) return chosen;
  throw new JsonRpcError(
    JsonRpcCode.invalidRequest,
    `The address has ${name}=${JSON.stringify(value.slice(0, 60))}; use one of ${choices.join(", ")}.`,
  );
}

function pageSizeOf(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY;
  const size = Number(text);
  if (Number.isInteger(size) && size > 0) return size;
  throw new JsonRpcError(JsonRpcCode.invalidRequest, "pageSize in the address must be a whole number above zero.");
}
