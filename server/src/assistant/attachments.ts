import { createDocumentReader } from "#search";
import { type FieldViolation, invalidArgument } from "#status";
import type { AssistantDeps } from "./contract.ts";

/** Files of a message, and bytes of each. */
const MAX_FILES = 20;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Characters of all files of a message together that a model gets. */
const MAX_CHARACTERS = 400_000;

const FIELD = "attached_gcs_uris";

/** Reads the files of a message about an app as text. INVALID_ARGUMENT names those that cannot be read. */
export async function readAttachments(
  app: string,
  uris: readonly string[],
  { objects }: Pick<AssistantDeps, "objects">,
): Promise<readonly { readonly fileName: string; readonly text: string }[]> {
  if (uris.length === 0) return [];
  if (uris.length > MAX_FILES)
    throw invalidArgument({ field: FIELD, description: `There are ${uris.length} files; at most ${MAX_FILES}.` });
  for (const [position, uri] of uris.entries()) objects.check(uri, `${FIELD}[${position}]`);
  const reader = createDocumentReader();
  const violations: FieldViolation[] = [];
  const documents: { fileName: string; text: string }[] = [];
  let left = MAX_CHARACTERS;
  try {
    for (const [position, uri] of uris.entries()) {
      const field = `${FIELD}[${position}]`;
      const fileName = uri.slice(uri.lastIndexOf("/") + 1);
      const kind = reader.kindOf("", fileName);
      const found = kind
        ? await reader.read(await objects.read(uri, { app, field, maxBytes: MAX_FILE_BYTES }), kind)
        : { fault: "its name has no ending that is known" };
      if ("fault" in found) violations.push({ field, description: `${fileName} cannot be read: ${found.fault}.` });
      else {
        documents.push({ fileName, text: found.text.slice(0, left) });
        left -= Math.min(left, found.text.length);
      }
    }
  } finally {
    await reader.close();
  }
  if (violations.length > 0) throw invalidArgument(violations);
  return documents;
}
