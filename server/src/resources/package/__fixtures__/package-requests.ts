import { create } from "@bufbuild/protobuf";
import { type ExportAppRequest, ExportAppRequestSchema, type ExportAppRequest_ExportFormat as ExportFormat, type ImportAppRequest, ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { AppPackages } from "../../contract.ts";
import { readZip } from "../archive/read-zip.ts";
import { writeZip } from "../archive/write-zip.ts";
import { textFile } from "../package-files.ts";

/** The location all test apps live in. */
export const PARENT = "projects/p/locations/l";

/** Texts by their path in the archive. */
export type Texts = Readonly<Record<string, string>>;

/** A zip of texts, their paths as given. */
export function zipOf(texts: Texts): Promise<Uint8Array> {
  return writeZip(
    Object.entries(texts).map(([path, text]) => textFile(path, text)),
    0,
  );
}

/** A request to import texts below one top-level folder. */
export async function importRequest(
  texts: Texts,
  fields: Partial<ImportAppRequest> = {},
): Promise<ImportAppRequest> {
  const rooted = Object.fromEntries(Object.entries(texts).map(([path, text]) => [`Root/${path}`, text]));
  return create(ImportAppRequestSchema, {
    parent: PARENT,
    app: { case: "appContent", value: await zipOf(rooted) },
    ...(fields as object),
  });
}

/** Exports an app and returns its files as texts, without the top-level folder. */
export async function exportTexts(
  packages: AppPackages,
  name: string,
  exportFormat: ExportFormat,
  fields: Partial<ExportAppRequest> = {},
): Promise<Texts> {
  const request = create(ExportAppRequestSchema, { name, exportFormat, ...(fields as object) });
  const { app } = await packages.exportApp(request);
  const files = await readZip(app.case === "appContent" ? app.value : new Uint8Array());
  return Object.fromEntries(
    files.map(({ path, bytes }) => [path.slice(path.indexOf("/") + 1), Buffer.from(bytes).toString("utf8")]),
  );
}
