/** The language of a code without its region and script: `en` of `en-GB`. */
export function languageRoot(code: string): string {
  return code.split("-")[0] ?? "";
}
