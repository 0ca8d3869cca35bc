import { create } from "@bufbuild/protobuf";
import {
  type ExportAppRequest,
  type ExportAppResponse,
  ExportAppResponseSchema,
  ExportAppRequest_ExportFormat as ExportFormat,
} from "@frontdesk/protos/ces/agent_service";
import type { Clock, ObjectStorage } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { AppSnapshots, AppTree, ResourceTree } from "../../contract.ts";
import { writeZip } from "../archive/write-zip.ts";
import type { ManifestFormat } from "../manifest/write-manifest.ts";
import { writePackage } from "./write-package.ts";

interface ExportDeps {
  readonly tree: Pick<ResourceTree, "readTree">;
  readonly snapshots: Pick<AppSnapshots, "version">;
  readonly clock: Clock;
  readonly objects: ObjectStorage | undefined;
}

/** Exports the draft of an app, or the version that the request names, as a zip (PKG-23). */
export async function exportApp(request: ExportAppRequest, deps: ExportDeps): Promise<ExportAppResponse> {
  const format = formatOf(request, deps.objects);
  if (request.gcsUri !== "") deps.objects?.check(request.gcsUri, "gcs_uri");
  const tree = request.appVersion === "" ? await deps.tree.readTree(request.name) : await versionTree(request, deps);
  const root = rootFolder(tree.app.displayName);
  const files = (await writePackage(tree, format)).map(({ path, bytes }) => ({ path: `${root}/${path}`, bytes }));
  const zip = await writeZip(files, deps.clock.now());
  if (request.gcsUri === "") return create(ExportAppResponseSchema, { app: { case: "appContent", value: zip } });
  await deps.objects?.write(request.gcsUri, zip, {
    app: request.name,
    field: "gcs_uri",
    contentType: "application/zip",
  });
  return create(ExportAppResponseSchema, { app: { case: "appUri", value: request.gcsUri } });
}

/** The format of the manifests. Throws INVALID_ARGUMENT with all violations of the request. */
function formatOf(
  { name, exportFormat, gcsUri, appVersion }: ExportAppRequest,
  objects: ObjectStorage | undefined,
): ManifestFormat {
  const violations: FieldViolation[] = [];
  if (name === "") violations.push({ field: "name", description: "The app to export is missing." });
  if (gcsUri !== "" && !objects) violations.push({ field: "gcs_uri", description: "No objects can be named here." });
  if (appVersion !== "" && !appVersion.startsWith(`${name}/versions/`)) {
    violations.push({ field: "app_version", description: `'${appVersion}' is not a version of '${name}'.` });
  }
  if (exportFormat !== ExportFormat.JSON && exportFormat !== ExportFormat.YAML) {
    violations.push({ field: "export_format", description: "Must be JSON or YAML." });
  }
  if (violations.length > 0) throw invalidArgument(violations);
  return exportFormat === ExportFormat.YAML ? "yaml" : "json";
}

/** The tree of a version: without evaluations, which versions do not have. */
async function versionTree({ name, appVersion }: ExportAppRequest, { snapshots, tree }: ExportDeps): Promise<AppTree> {
  const { snapshot } = await snapshots.version(appVersion);
  const { agents, tools, toolsets, guardrails, examples } = snapshot;
  const app = snapshot.app ?? (await tree.readTree(name)).app;
  return { app, agents, tools, toolsets, guardrails, examples, ...NO_EVALUATIONS };
}

const NO_EVALUATIONS = { evaluations: [], evaluationDatasets: [], evaluationExpectations: [] };

/** The top-level folder: the app's display name with each space as `_` (PKG-1), without path separators. */
function rootFolder(displayName: string): string {
  const folder = displayName.replaceAll(" ", "_").replace(/[/\\:\0]/g, "_");
  return /^\.*$/.test(folder) ? "app" : folder;
}
