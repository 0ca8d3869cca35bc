import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { isPythonField, isTextField, textPath } from "./field-tables.ts";
import type { Findings } from "./findings.ts";
import { decodeText, type PackageFile, type PackageFiles, textFile } from "./package-files.ts";
import { rewriteStrings, type StringPlace } from "./rewrite-strings.ts";

/** A Python text of a resource and its place. */
export interface PythonSource {
  /** The code file; the manifest when it has the code itself. */
  readonly file: string;
  /** Field of the resource, e.g. `pythonFunction.pythonCode`. */
  readonly field: string;
  readonly code: string;
}

/** A resource with its texts, the files that were read, and its Python. */
interface LoadedTexts<Schema extends DescMessage> {
  readonly message: MessageShape<Schema>;
  readonly used: readonly string[];
  readonly python: readonly PythonSource[];
}

/**
 * Replaces the paths of text files with their texts. A value that looks like a path of a missing file is a violation; any other value is
 * read as the text itself, with a warning because the hosted product does not accept that.
 */
export function loadTexts<Schema extends DescMessage>(
  schema: Schema,
  message: MessageShape<Schema>,
  manifest: string,
  files: PackageFiles,
  findings: Findings,
): LoadedTexts<Schema> {
  const used: string[] = [];
  const python: PythonSource[] = [];
  const load = (place: StringPlace): string | undefined => {
    if (!isTextField(place.field) || place.value === "") return undefined;
    const { path, text } = textFor(place, manifest, files, findings);
    if (path !== undefined) used.push(path);
    if (isPythonField(place.field)) python.push({ file: path ?? manifest, field: place.path, code: text });
    return text;
  };
  // No string is dropped here, so neither is the message.
  const loaded = rewriteStrings(schema, message, load) ?? message;
  return { message: loaded, used, python };
}

interface FoundText {
  /** The file of the text; undefined when the manifest has the text itself. */
  readonly path?: string;
  readonly text: string;
}

function textFor(
  { value, path: field }: StringPlace,
  manifest: string,
  files: PackageFiles,
  findings: Findings,
): FoundText {
  const path = value.replace(/^(\.\/)+/, "");
  const bytes = files.get(path);
  if (bytes) {
    const text = decodeText(bytes);
    if (text === undefined) findings.violations.push({ field: path, description: "The file is not UTF-8 text." });
    return { path, text: text ?? "" };
  }
  if (looksLikePath(value)) {
    findings.violations.push({ field: `${manifest}: ${field}`, description: `The package has no file '${value}'.` });
  } else {
    findings.warnings.push(`${manifest}: ${field}: has the text itself; a package has the path of a text file here.`);
  }
  return { text: value };
}

function looksLikePath(value: string): boolean {
  if (!/.\.(txt|py|ya?ml|json|md)$/s.test(value.slice(-6))) return false;
  return !/\s/.test(value) || (value.includes("/") && !value.includes("\n"));
}

/**
 * A resource with paths instead of its texts, and the text files in the order of their fields. `folder` is the
 * resource's, ending in `/`; "" for the app.
 */
export function extractTexts<Schema extends DescMessage>(
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
