// What the bundle contains of others: their licences, which they ask to be passed on, and a bill of materials (CycloneDX 1.5, as `npm
// sbom` writes it, reduced to what is in the package).
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { neededPackages } from "../launch/needed-packages.mjs";
import { ROOT } from "../launch/progress.mjs";
import { writeText } from "./stage.mjs";

/** The workspaces that npm describes. Not that of the pages: it calls optional peers of theirs invalid, and then describes nothing. */
const WORKSPACES = ["server", "python", "console"];

const TEXT = /^(?:licen[cs]e|copying|notice)/i;

/**
 * Writes THIRD-PARTY.txt and sbom.cdx.json of a package from the files that were bundled, those of the console, and the dependencies that it
 * names.
 */
export function writeThirdParties(folder, manifest, bundledFiles) {
  const bundled = packagesOf([...bundledFiles, ...consoleFiles()]);
  const named = { ...manifest.dependencies, ...manifest.optionalDependencies };
  writeText(folder, "THIRD-PARTY.txt", bundled.map(licenceOf).join(`\n${"-".repeat(80)}\n\n`));
  const parts = [...bundled.map(({ name, version }) => `${name}@${version}`), ...atVersions(named)];
  writeText(folder, "sbom.cdx.json", `${JSON.stringify(billOf(manifest, new Set(parts)), undefined, 1)}\n`);
}

/** A file of each package that the console needs: its bundler keeps no list. */
function consoleFiles() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const needed = neededPackages(packages, ["console"]).filter((path) => !packages[path].link);
  return needed.map((path) => join(ROOT, path, "package.json")).filter((file) => existsSync(file));
}

/** The modules of the documentation's pages, which their build has listed. */
export function docsFiles() {
  return JSON.parse(readFileSync(join(ROOT, "dist", "docs-pages", ".vitepress", "bundled.json"), "utf8"));
}

/** The packages that files lie in, by name. */
function packagesOf(files) {
  const found = new Map();
  for (const file of files) {
    const [, root] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll("\\", "/")) ?? [];
    if (!root || found.has(root)) continue;
    const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    if (!name.startsWith("@frontdesk/")) found.set(root, { root, name, version, license });
  }
  return [...found.values()].sort((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`, "en"));
}

function licenceOf({ root, name, version, license }) {
  const entries = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile() && TEXT.test(entry.name));
  const names = entries.map((entry) => entry.name).sort();
  const text = names.map((file) => readFileSync(join(root, file), "utf8").trim());
  return `${name} ${version}\nLicence: ${license ?? "see below"}\n\n${text.join("\n\n")}\n`;
}

function atVersions(dependencies) {
  return Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
}

/**
 * npm's bill has an identifier and a time of its making, which differ each time; they are left out. It is asked for development packages
 * too: without them it leaves out what they share with the server.
 */
function billOf({ name, version }, parts) {
  const npm = join(dirname(process.execPath), "npm");
  const args = ["sbom", "--sbom-format=cyclonedx", ...WORKSPACES.map((name) => `--workspace=${name}`)];
  const text = execFileSync(existsSync(npm) ? npm : "npm", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
  const { bomFormat, specVersion, components, dependencies } = JSON.parse(text);
  const kept = components.filter((part) => parts.has(`${nameOf(part)}@${part.version}`));
  const listed = new Set(kept.map((part) => `${nameOf(part)}@${part.version}`));
  const missing = [...parts].filter((part) => !listed.has(part) && !part.startsWith("@frontdesk/"));
  kept.push(...missing.map(lockedComponent));
  const references = new Set(kept.map((part) => part["bom-ref"]));
  return {
    ...{ bomFormat, specVersion, version: 1 },
    metadata: { component: { type: "application", "bom-ref": `${name}@${version}`, name, version } },
    components: kept.map(({ properties: _, ...part }) => part),
    dependencies: dependencies
      .filter(({ ref }) => references.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((part) => references.has(part)) })),
  };
}

/** A component as npm describes it, from the lock file. */
function lockedComponent(part) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const [name, version] = [part.slice(0, part.lastIndexOf("@")), part.slice(part.lastIndexOf("@") + 1)];
  const locked = Object.entries(packages).find(
    ([path, { version: one }]) => path.endsWith(`node_modules/${name}`) && one === version,
  )?.[1];
  if (!locked) throw new Error(`Neither npm's bill of materials nor the lock file has ${part}`);
  const content = Buffer.from(locked.integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    ...{ "bom-ref": part, type: "library", name, version, scope: "required" },
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    hashes: [{ alg: "SHA-512", content }],
    licenses: [{ license: { id: locked.license } }],
  };
}

function nameOf({ group, name }) {
  return group && !name.startsWith("@") ? `${group}/${name}` : name;
}
