import type { Document } from "../manifest/document.ts";
import { writeJson } from "../manifest/write-json.ts";
import { writeYaml } from "../manifest/write-yaml.ts";
import { type PackageFile, textFile } from "../package-files.ts";

/** The language of a package's manifests. */
export type ManifestFormat = "json" | "yaml";

/** A document as a file; `stem` is the path without its ending. */
export function manifestFile(stem: string, document: Document, format: ManifestFormat): PackageFile {
  return textFile(`${stem}.${format}`, format === "json" ? writeJson(document) : writeYaml(document));
}
