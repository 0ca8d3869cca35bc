import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Findings } from "../findings.ts";
import { rewriteStrings, type StringPlace } from "../message/rewrite-strings.ts";
import { decodeText, type PackageFiles } from "../package-files.ts";
import { isPythonField, isTextField } from "./text-fields.ts";

/** A Python text of a resource, where it was found. */
export interface PythonSource {
  /** The code file; the manifest when the code stands in it. */
  readonly file: string;
  /** Field of the resource, e.g. `pythonFunction.pythonCode`. */
  readonly field: string;
  readonly code: string;
}

/** A resource with its texts in place, and what loading them touched. */
export interface LoadedTexts<Schema extends DescMessage> {
  readonly message: MessageShape<Schema>;
  readonly used: readonly string[];
  readonly python: readonly PythonSource[];
}

/**
 * Puts the text of the files in place of their paths. A value that looks like a path but names no file is a violation; any
 * other value is taken for the text itself, with a warning, because the hosted product does not accept that.
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
  // Nothing is dropped here, so the message never is.
  const loaded = rewriteStrings(schema, message, load) ?? message;
  return { message: loaded, used, python };
}

interface FoundText {
  /** The file the text came from; undefined when the manifest holds it. */
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
    findings.warnings.push(`${manifest}: ${field}: holds the text itself; a package has the path of a text file here.`);
  }
  return { text: value };
}

function looksLikePath(value: string): boolean {
  return /^\S+\.(txt|py|ya?ml|json|md)$/.test(value) || /^[^\n]*\/[^\n]*\.(txt|py|ya?ml|json|md)$/.test(value);
}
