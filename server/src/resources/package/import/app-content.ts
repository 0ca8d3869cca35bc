import type { ImportAppRequest } from "@frontdesk/protos/ces/agent_service";
import type { ObjectStorage } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { PackageLimits } from "../archive/read-zip.ts";
import { requestViolations } from "./target-app.ts";

/** What an import was sent, from the request or from the objects that it names. */
interface ImportContent {
  readonly zip: Uint8Array;
  /** The text of the JSON patch and the field that it came by; undefined = none. */
  readonly patch: { readonly text: string; readonly field: string } | undefined;
}

/** A patch, bytes at most. */
const MAX_PATCH_BYTES = 1024 * 1024;

/** The zip and the patch of a request. Throws INVALID_ARGUMENT with all violations of the request, before anything is fetched. */
export async function importContent(
  request: ImportAppRequest,
  limits: PackageLimits,
  objects: ObjectStorage | undefined,
): Promise<ImportContent> {
  const { app, jsonPatch } = request;
  const violations = [...requestViolations(request), ...addressViolations(request, objects)];
  if (violations.length > 0) throw invalidArgument(violations);
  const fetched = (uri: string, field: string, maxBytes: number) =>
    objects?.read(uri, { app: `${request.parent}/apps/${request.appId}`, field, maxBytes }) ??
    Promise.resolve(new Uint8Array());
  const zip =
    app.case === "gcsUri" ? await fetched(app.value, "gcs_uri", limits.archiveBytes) : (app.value ?? new Uint8Array());
  switch (jsonPatch.case) {
    case "jsonPatchGcsUri": {
      const bytes = await fetched(jsonPatch.value, "json_patch_gcs_uri", MAX_PATCH_BYTES);
      return { zip, patch: { text: new TextDecoder().decode(bytes), field: "json_patch_gcs_uri" } };
    }
    case "jsonPatchContent":
      return {
        zip,
        patch: jsonPatch.value === "" ? undefined : { text: jsonPatch.value, field: "json_patch_content" },
      };
    default:
      return { zip, patch: undefined };
  }
}

/** Addresses that are none of an object, a patch that is too large, and addresses where this server reads none. */
function addressViolations(
  { app, jsonPatch }: ImportAppRequest,
  objects: ObjectStorage | undefined,
): readonly FieldViolation[] {
  const addresses = [
    ...(app.case === "gcsUri" ? [[app.value, "gcs_uri"] as const] : []),
    ...(jsonPatch.case === "jsonPatchGcsUri" ? [[jsonPatch.value, "json_patch_gcs_uri"] as const] : []),
  ];
  for (const [uri, field] of addresses) objects?.check(uri, field);
  const isLong = jsonPatch.case === "jsonPatchContent" && jsonPatch.value.length > MAX_PATCH_BYTES;
  return [
    ...(objects ? [] : addresses.map(([, field]) => ({ field, description: "No objects can be named here." }))),
    ...(isLong
      ? [{ field: "json_patch_content", description: `The patch is longer than ${MAX_PATCH_BYTES} characters.` }]
      : []),
  ];
}
