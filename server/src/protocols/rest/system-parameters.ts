import type { DescMessage } from "@bufbuild/protobuf";
import { invalidArgument } from "#status";
import { type FieldTree, parseFields } from "../fields/partial-response.ts";

/** Options of the response, from the query and the headers. */
export interface ResponseOptions {
  /** `data:` events instead of an array, for streams. */
  readonly serverSentEvents: boolean;
  readonly enumAsInteger: boolean;
  /** Whether the JSON is indented; undefined when the client does not say. */
  readonly pretty: boolean | undefined;
  /** The selected part of the response; undefined: all of it. */
  readonly fields: FieldTree | undefined;
}

/** The query of a request, split into options of the response and fields of the message. */
export interface Query {
  readonly options: ResponseOptions;
  readonly bindings: readonly (readonly [name: string, value: string])[];
}

/** Parameters that every method has (cloud.google.com/apis/docs/system-parameters). */
const SYSTEM_PARAMETERS: ReadonlySet<string> = new Set([
  "access_token",
  "alt",
  "callback",
  "fields",
  "key",
  "oauth_token",
  "prettyPrint",
  "quotaUser",
  "uploadType",
  "upload_protocol",
  "userIp",
]);

/**
 * Splits a query string. Every parameter that begins with `$` is a system parameter, known or not. `fields` may be sent in parts.
 *
 * @param responseType what `fields` selects from
 */
export function readQuery(text: string, fieldMaskHeader: string | undefined, responseType: DescMessage): Query {
  if (text === "" && fieldMaskHeader === undefined) return { options: PLAIN, bindings: [] };
  const bindings: [string, string][] = [];
  const system = new Map<string, string>();
  for (const [parameter, value] of new URLSearchParams(text)) {
    const name = parameter.replace(/^\$/, "");
    if (name === parameter && !SYSTEM_PARAMETERS.has(name)) bindings.push([name, value]);
    else system.set(name, name === "fields" ? [system.get(name), value].filter(Boolean).join(",") : value);
  }
  const { type, enumAsInteger } = readAlt(system.get("alt") ?? "json");
  const fields = system.get("fields") ?? fieldMaskHeader;
  const options: ResponseOptions = {
    serverSentEvents: type === "sse",
    enumAsInteger,
    pretty: readFlag(system.get("prettyPrint")),
    fields: fields ? parseFields(fields, responseType) : undefined,
  };
  return { options, bindings };
}

const PLAIN: ResponseOptions = { serverSentEvents: false, enumAsInteger: false, pretty: undefined, fields: undefined };

function readFlag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : /^(true|1)$/i.test(text);
}

/** `json` or `sse`, either with `;enum-encoding=int`, which every gax client sends (WIRE-12). */
function readAlt(alt: string): { readonly type: string; readonly enumAsInteger: boolean } {
  const [type = "", ...parameters] = alt.split(";");
  if (type !== "json" && type !== "sse")
    throw invalidArgument({ field: "alt", description: `'${alt}' is not supported; use json or sse.` });
  return { type, enumAsInteger: parameters.includes("enum-encoding=int") };
}
