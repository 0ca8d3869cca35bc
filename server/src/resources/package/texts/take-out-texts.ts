import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { rewriteStrings } from "../message/rewrite-strings.ts";
import { type PackageFile, textFile } from "../package-files.ts";
import { isTextField, textPath } from "./text-fields.ts";

/**
 * A resource with paths in place of its texts, and the files that hold them, in the order of their fields. `folder` is the
 * resource's, ending in `/`; "" for the app.
 */
export function takeOutTexts<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  folder: string,
): { readonly message: MessageShape<Schema>; readonly files: readonly PackageFile[] } {
  const files: PackageFile[] = [];
  const rewritten = rewriteStrings(schema, message, ({ field, value, path }) => {
    if (!isTextField(field) || value === "") return undefined;
    const file = textFile(folder + textPath(field, path), value);
    files.push(file);
    return file.path;
  });
  return { message: rewritten ?? message, files };
}
