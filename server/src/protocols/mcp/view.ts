import type { ToolKind } from "./hints.ts";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";

/** How tools are told: for every client, the same with as few words as do, or as the hosted server writes them. */
export type SchemaForm = "portable" | "brief" | "google";

/** Which tools one endpoint address shows, and how: what its query says. */
export interface View {
  /** Kinds of tools. Default all. */
  readonly kinds: ReadonlySet<ToolKind>;
  readonly schemas: SchemaForm;
  /** Whether only the hosted server's tools are shown. Default false. */
  readonly hostedOnly: boolean;
  /** Whether the schemas of answers are told. Default yes, but not in the brief form. */
  readonly outputs: boolean;
  /** Calls that would change something or run something are checked, and not made. Default false. */
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

/** What the query of an endpoint address asks for. Throws `JsonRpcError` with what is there to choose from. */
export function viewOf(query: URLSearchParams): View {
  const profile = choice(query, "profile", Object.keys(PROFILES)) ?? "all";
  const google = profile === "google";
  const usual = google ? "google" : profile === "read" ? "brief" : "portable";
  const schemas = choice(query, "schemas", ["portable", "brief", "google"]) ?? usual;
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

/** What an address without a query shows. */
export const WHOLE_VIEW: View = viewOf(new URLSearchParams());

function choice<Choice extends string>(query: URLSearchParams, name: string, choices: readonly Choice[]) {
  const given = query.get(name);
  if (given === null) return undefined;
  const chosen = choices.find((each) => each === given);
  if (chosen !== undefined) return chosen;
  throw new JsonRpcError(
    JsonRpcCode.invalidRequest,
    `The address says ${name}=${JSON.stringify(given.slice(0, 60))}; use one of ${choices.join(", ")}.`,
  );
}

function pageSizeOf(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY;
  const size = Number(text);
  if (Number.isInteger(size) && size > 0) return size;
  throw new JsonRpcError(JsonRpcCode.invalidRequest, "The address's pageSize must be a whole number above zero.");
}
