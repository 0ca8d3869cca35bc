// What a release changes in texts of the repository, and reads from them.

/** The changelog with a date at the heading of a version, which must be `(unreleased)` until then. */
export function dateRelease(changelog, version, date) {
  const heading = `## ${version} (unreleased)`;
  if (!changelog.includes(`${heading}\n`)) throw new Error(`CHANGELOG.md has no heading '${heading}'.`);
  return changelog.replace(heading, `## ${version} (${date})`);
}

/** What the changelog says of a version, with or without its heading. */
export function notesOf(changelog, version, { heading = false } = {}) {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## ${version} (`));
  if (!section) throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return heading ? section.trim() : section.slice(section.indexOf("\n")).trim();
}

/** Documents that name the version, besides packages and chart. */
export const DOCUMENTS = [
  "deploy/action/action.yml",
  "docs/install.md",
  "docs/get-started.md",
  "docs/evaluations.md",
  "docs/tutorials/ci.md",
];

/** Where documents name it: files that `npm run pack` makes, and the action. */
const NAMED = /(?<=frontdesk-(?:server|sealed-python)-|deploy\/action@v)\d+\.\d+\.\d+/g;

/** A document that names another version. */
export function namingVersion(document, version) {
  return document.replace(NAMED, version);
}

/** The version that each place names. `manifests` are the texts of package.json by folder, `documents` those of documents by path. */
export function versionsOf({ manifests, chart, documents }) {
  const packages = Object.entries(manifests).map(([folder, text]) => [folder || "the root", JSON.parse(text).version]);
  return {
    ...Object.fromEntries(packages),
    "the chart": /^version: (.*)$/m.exec(chart)?.[1],
    "the chart's server": /^appVersion: (.*)$/m.exec(chart)?.[1],
    ...Object.fromEntries(Object.entries(documents).map(([path, text]) => [path, versionNamedIn(text)])),
  };
}

/** All of them, where a document names several. */
function versionNamedIn(text) {
  return [...new Set(text.match(NAMED) ?? [])].join(" and ") || undefined;
}
