// `npm run drift -- googleapis@190.0.0`: what another version of a package declares and the installed one does not, and the other way round.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { clientFacts } from "./client-facts.ts";
import { readClientSurface } from "./client-surface.ts";
import { compileDefinitions, definitionFacts } from "./definitions-surface.ts";
import { fetchPackage } from "./package-files.ts";

const GDA = "google/cloud/geminidataanalytics";

/** The packages that the APIs come from, and how their declarations are read from their files. */
const PACKAGES: Readonly<Record<string, (folder: string) => readonly string[]>> = {
  googleapis: (folder) =>
    ["v1", "v1beta"].flatMap((revision) =>
      clientFacts(readClientSurface(join(folder, "build", "src", "apis", "ces"), "ces", revision)),
    ),
  "google-proto-files": (folder) =>
    definitionFacts(
      compileDefinitions(folder, [
        "google/cloud/ces/v1",
        "google/cloud/ces/v1beta",
        `${GDA}/v1`,
        `${GDA}/v1alpha`,
        `${GDA}/v1beta`,
      ]),
      "google.cloud.",
    ),
  "@google-cloud/geminidataanalytics": (folder) =>
    definitionFacts(
      compileDefinitions(join(folder, "build", "protos"), [`${GDA}/v1alpha`, `${GDA}/v1beta`]),
      "google.cloud.",
    ),
};

try {
  const specs = process.argv.slice(2);
  for (const spec of specs.length > 0 ? specs : Object.keys(PACKAGES).map((name) => `${name}@latest`)) printDrift(spec);
} catch (error) {
  process.stderr.write(`drift: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

function printDrift(spec: string): void {
  const name = spec.replace(/(?!^)@.*$/, "");
  const read = PACKAGES[name];
  if (!read) throw new Error(`${name} is none of ${Object.keys(PACKAGES).join(", ")}.`);
  const installed = new Set(read(folderOf(name)));
  using fetched = fetchPackage(spec);
  const other = new Set(read(fetched.folder));
  const lines = [
    ...[...other].filter((fact) => !installed.has(fact)).map((fact) => `+ ${fact}`),
    ...[...installed].filter((fact) => !other.has(fact)).map((fact) => `- ${fact}`),
  ];
  process.stdout.write(
    `${spec}, compared with the installed version: ${lines.length} differences\n${lines
      .sort(bySubject)
      .map((line) => `${line}\n`)
      .join("")}`,
  );
}

/** What is new beside what it replaces. */
function bySubject(a: string, b: string): number {
  return a.slice(2).localeCompare(b.slice(2)) || a.localeCompare(b);
}

function folderOf(name: string): string {
  const home = name === "google-proto-files" ? join("..", "..", "scripts") : "..";
  return dirname(createRequire(join(import.meta.dirname, home, "package.json")).resolve(`${name}/package.json`));
}
