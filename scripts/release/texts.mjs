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

/** The version that each place names. `manifests` are the texts of package.json by folder. */
export function versionsOf({ manifests, chart, action }) {
  const packages = Object.entries(manifests).map(([folder, text]) => [folder || "the root", JSON.parse(text).version]);
  return {
    ...Object.fromEntries(packages),
    "the chart": /^version: (.*)$/m.exec(chart)?.[1],
    "the chart's server": /^appVersion: (.*)$/m.exec(chart)?.[1],
    "the action": /@frontdesk\/server@([\d.]+)/.exec(action)?.[1],
  };
}
