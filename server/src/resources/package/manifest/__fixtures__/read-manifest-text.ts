import { createFindings } from "../../findings.ts";
import { createManifestReader } from "../read-manifest.ts";

export const read = createManifestReader();

export async function parse(path: string, text: string | Uint8Array) {
  const findings = createFindings();
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const { warnings, violations } = findings;
  return { value: (await read(path, new Map([[path, bytes]]), findings))?.json, warnings, violations };
}
