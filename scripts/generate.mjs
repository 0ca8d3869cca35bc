// Generates protos/gen from the definitions in google-proto-files, with protos/overlay/*.json laid over them, and those in protos/frontdesk.
// Plain JavaScript: the launcher runs it before anything else exists.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { applyOverlays } from "./overlay/apply-overlays.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PROTOS = join(ROOT, "protos");
const OUT = join(PROTOS, "gen");
const OVERLAY = join(PROTOS, "overlay");
const QUICK_READER = join(PROTOS, "file-descriptors.js");

/** Folders whose definitions are generated; what they import comes along. */
const FOLDERS = [
  "google/cloud/ces/v1",
  "google/cloud/ces/v1beta",
  "google/cloud/geminidataanalytics/v1",
  "google/cloud/geminidataanalytics/v1alpha",
  "google/cloud/geminidataanalytics/v1beta",
  "google/cloud/location",
  "google/longrunning",
];
const EXTRA_FILES = [
  "google/rpc/error_details.proto",
  "google/rpc/code.proto",
  "google/api/httpbody.proto",
  // Speech to text streams over gRPC only.
  "google/cloud/speech/v1/cloud_speech.proto",
];
/** What of each package the generator reads; of those that have no list, all. */
export const PACKAGE_PARTS = {
  "node_modules/google-proto-files": [
    "package.json",
    ...[
      ...FOLDERS,
      "google/api",
      "google/cloud/speech/v1",
      "google/iam/v1",
      "google/protobuf",
      "google/rpc",
      "google/type",
    ],
  ],
  "node_modules/protoc": [],
  "node_modules/@bufbuild/protobuf": [],
  "node_modules/@bufbuild/protoc-gen-es": [],
  "node_modules/@bufbuild/protoplugin": [],
  "node_modules/@bufbuild/protoplugin/node_modules/typescript": ["package.json", "lib/typescript.js"],
  "node_modules/@typescript/vfs": [],
  "node_modules/debug": [],
  "node_modules/ms": [],
};
/** Services that the hosted product does not have. */
const OWN_FILES = readdirSync(join(PROTOS, "frontdesk"))
  .flatMap((subject) => protoFiles(PROTOS, `frontdesk/${subject}/v1beta`))
  .sort();

/** Whether protos/gen was made from the inputs as they are now. */
export function isGenerated() {
  const stampFile = join(OUT, ".stamp");
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === inputStamp();
}

/**
 * Generates when the inputs changed since the last time, with the packages of the workspace `scripts` that are installed in this folder; returns
 * whether it did. Needs the Node version that the plugin requires.
 */
async function generate({ force, packages }) {
  if (!force && isGenerated()) return false;
  const require = createRequire(join(packages, "scripts", "package.json"));
  const sources = dirname(require.resolve("google-proto-files/package.json"));

  const scratch = `${OUT}.${process.pid}`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  try {
    const files = [...FOLDERS.flatMap((folder) => protoFiles(sources, folder)), ...EXTRA_FILES, ...OWN_FILES];
    const set = join(scratch, "set.binpb");
    protoc(require, [
      "-I",
      sources,
      "-I",
      PROTOS,
      "--include_imports",
      "--include_source_info",
      `--descriptor_set_out=${set}`,
      ...files,
    ]);
    const names = await layOverlay(require, set);
    const plugin = join(dirname(require.resolve("@bufbuild/protoc-gen-es/package.json")), "bin", "protoc-gen-es");
    protoc(require, [
      `--descriptor_set_in=${set}`,
      `--plugin=protoc-gen-es=${pluginCommand(plugin, scratch)}`,
      `--es_out=${scratch}`,
      "--es_opt=target=js+dts,import_extension=js",
      ...names,
    ]);
    rmSync(set);
    readFilesQuickly(scratch);
    writeFileSync(join(scratch, ".stamp"), inputStamp());
    rmSync(OUT, { recursive: true, force: true });
    renameSync(scratch, OUT);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return true;
}

/** Of what the code is generated from. The packages are taken from the lock file: they are installed only while there is something to generate. */
function inputStamp() {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  const inputs = [...filesOf(OVERLAY), ...filesOf(join(dirname(fileURLToPath(import.meta.url)), "overlay"))];
  inputs.push(...OWN_FILES.map((file) => join(PROTOS, file)));
  for (const path of inputs) hash.update(readFileSync(path));
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  for (const name of ["google-proto-files", "@bufbuild/protoc-gen-es", "protoc"]) {
    hash.update(`${name} ${packages[`node_modules/${name}`].integrity}`);
  }
  return hash.digest("hex");
}

function filesOf(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

function protoFiles(sources, folder) {
  return readdirSync(join(sources, folder))
    .filter((name) => name.endsWith(".proto"))
    .map((name) => `${folder}/${name}`);
}

function protoc(require, args) {
  const main = join(dirname(require.resolve("protoc/package.json")), "protoc.cjs");
  const done = spawnSync(process.execPath, [main, ...args], { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  if (done.status !== 0) throw new Error(`protoc failed: ${done.stderr || done.error?.message}`);
}

/** The plugin runs with this Node, not with the one in PATH. */
function pluginCommand(plugin, scratch) {
  const windows = process.platform === "win32";
  const path = join(scratch, windows ? "plugin.cmd" : "plugin.sh");
  const line = windows
    ? `@"${process.execPath}" "${plugin}" %*\r\n`
    : `#!/bin/sh\nexec "${process.execPath}" "${plugin}" "$@"\n`;
  writeFileSync(path, line, { mode: 0o755 });
  return path;
}

/** Has the generated code read its descriptors with `protos/file-descriptors.js`. */
function readFilesQuickly(folder) {
  const imported = /import \{(.*)\bfileDesc\b,?(.*)\} from "@bufbuild\/protobuf\/codegenv2";/;
  for (const name of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith("_pb.js"))) {
    const file = join(folder, name);
    const code = readFileSync(file, "utf8");
    if (!imported.test(code)) throw new Error(`${name} does not import fileDesc as expected`);
    // The folder becomes protos/gen.
    const from = relative(dirname(join(OUT, name)), QUICK_READER).replaceAll("\\", "/");
    const lines = `import { fileDesc } from "${from}";\nimport {$1$2} from "@bufbuild/protobuf/codegenv2";`;
    writeFileSync(file, code.replace(imported, lines));
  }
}

/** Adds what protos/overlay declares (the live API has it, the published files do not) to the descriptor set. */
async function layOverlay(require, setFile) {
  const load = async (id) => import(pathToFileURL(require.resolve(id)).href);
  const es = await load("@bufbuild/protobuf");
  const wkt = await load("@bufbuild/protobuf/wkt");
  const set = es.fromBinary(wkt.FileDescriptorSetSchema, readFileSync(setFile));
  const overlays = filesOf(OVERLAY).map((path) => JSON.parse(readFileSync(path, "utf8")));
  applyOverlays(es, wkt, set, overlays);
  writeFileSync(setFile, es.toBinary(wkt.FileDescriptorSetSchema, set));
  return set.file.map((file) => file.name).filter((name) => !name.startsWith("google/protobuf/"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { force: { type: "boolean" }, packages: { type: "string", default: ROOT } },
  });
  const made = await generate(values);
  console.error(made ? `generated ${relative(process.cwd(), OUT)}` : "up to date");
}
