import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { mapWithPauses, yieldToEventLoop } from "#base";
import type { AppTree } from "../../contract.ts";
import { ENVIRONMENT_FILE } from "../environment/environment-file.ts";
import { extractEnvironment } from "../environment/extract-environment.ts";
import { KINDS, type Kind, type PackagedResource } from "../kinds.ts";
import { folderNames } from "../layout.ts";
import { compareCodePoints, type Document, type Member, toDocument } from "../manifest/document.ts";
import { type ManifestFormat, manifestFile, writeJson } from "../manifest/write-manifest.ts";
import { type PackageFile, textFile } from "../package-files.ts";
import { type DisplayNameOf, displayNamesOfTree, nameReferences } from "../references.ts";
import { extractTexts } from "../texts.ts";
import { normaliseApp, normaliseResource } from "./normalise.ts";

/**
 * The files of an app's package, in the hosted product's order: texts before the manifest that refers to them,
 * the app first, `environment.json` last (PKG-3). Paths are below the app's folder.
 */
export async function writePackage(tree: AppTree, format: ManifestFormat): Promise<readonly PackageFile[]> {
  const displayNames = displayNamesOfTree(tree);
  await yieldToEventLoop();
  const app = normaliseApp(nameReferences(AppSchema, tree.app, displayNames));
  const written = [write(AppSchema, app, { folder: "", stem: "app" }, format)];
  await yieldToEventLoop();
  for (const kind of KINDS)
    for (const each of await writeKind(kind, tree[kind.part], displayNames, format)) written.push(each);
  return [
    ...written.flatMap(({ files }) => files),
    manifestFile("pythonEnvFiles/pythonEnvFiles", { kind: "object", members: [] }, format),
    ...environmentFile(written),
  ];
}

/** The files of one manifest, and its part of `environment.json`. */
interface Written {
  readonly files: readonly PackageFile[];
  /** Kind and display name; undefined for the app. */
  readonly owner?: { readonly kind: Kind; readonly displayName: string };
  readonly environment?: Document;
}

async function writeKind(
  kind: Kind,
  resources: readonly PackagedResource[],
  displayNames: DisplayNameOf,
  format: ManifestFormat,
): Promise<readonly Written[]> {
  const named = resources.map((resource) => ({ resource, displayName: displayNames.get(resource.name) ?? "" }));
  named.sort(
    (one, other) =>
      compareCodePoints(one.displayName, other.displayName) ||
      compareCodePoints(one.resource.name, other.resource.name),
  );
  const folders = folderNames(named.map(({ displayName }) => displayName));
  return mapWithPauses(named.entries(), ([index, { resource, displayName }]) => {
    const folder = `${kind.part}/${folders[index]}/`;
    const message = normaliseResource(nameReferences(kind.schema, resource, displayNames) as PackagedResource);
    const place = { folder, stem: `${folder}${folders[index]}` };
    return { ...write(kind.schema, message, place, format), owner: { kind, displayName } };
  });
}

/** The environment is extracted before the texts, because texts of schemas have values of it too. */
function write<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  { folder, stem }: { readonly folder: string; readonly stem: string },
  format: ManifestFormat,
): Written {
  const portable = extractEnvironment(schema, message);
  const withPaths = extractTexts(schema, portable.message, folder);
  const files = [...withPaths.files, manifestFile(stem, toDocument(schema, withPaths.message), format)];
  return { files, environment: portable.environment && toDocument(schema, portable.environment) };
}

/** No file when no value depends on the environment. */
function environmentFile(written: readonly Written[]): readonly PackageFile[] {
  const app = written.flatMap(({ owner, environment }) =>
    !owner && environment ? [["app", environment] as const] : [],
  );
  const byKind = KINDS.flatMap((kind) => {
    const members = written.flatMap(({ owner, environment }): readonly Member[] =>
      owner?.kind === kind && environment ? [[owner.displayName, environment]] : [],
    );
    return members.length > 0 ? [[kind.part, { kind: "object", members }] as const] : [];
  });
  const members: readonly Member[] = [...app, ...byKind];
  return members.length > 0 ? [textFile(ENVIRONMENT_FILE, writeJson({ kind: "object", members }))] : [];
}
