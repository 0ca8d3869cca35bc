import { cpSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../launch/progress.mjs";
import { copyInto, emptyFolder, readManifest, runTool, writeManifest } from "./stage.mjs";

/** What of protos/gen the client names, and what that imports. */
const GENERATED = ["ces/v1", "ces/v1beta", "geminidataanalytics/v1", "geminidataanalytics/v1beta"];
const GENERATED_COMMON = ["api", "iam", "longrunning", "rpc", "type"];

/** Names below the package, and where their modules are in protos/gen. */
const MODULES = {
  ces: "google/cloud/ces/v1beta",
  "ces-v1": "google/cloud/ces/v1",
  gda: "google/cloud/geminidataanalytics/v1beta",
  "gda-v1": "google/cloud/geminidataanalytics/v1",
  google: "google",
};

/** `@frontdesk/client`: the factory, and messages and services as they are generated. */
export function stageClient(folder) {
  const { name, version, description, dependencies } = readManifest("client");
  const { "@frontdesk/protos": _, ...others } = dependencies;
  emptyFolder(folder);
  runTool("typescript/bin/tsc", ["-p", "scripts/pack/client.tsconfig.json", "--outDir", join(folder, "dist")]);
  copyInto(folder, {
    "client/README.md": "README.md",
    LICENSE: "LICENSE",
    // What is generated imports it from above its folder.
    "protos/file-descriptors.js": "file-descriptors.js",
  });
  for (const part of [...GENERATED.map((path) => `cloud/${path}`), ...GENERATED_COMMON])
    cpSync(join(ROOT, "protos/gen/google", part), join(folder, "gen/google", part), { recursive: true });
  // The agent cards of apps are messages of A2A.
  cpSync(join(ROOT, "protos/gen/lf"), join(folder, "gen/lf"), { recursive: true });
  writeManifest(folder, {
    ...{ name, version, description },
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, ...modules("./") },
    imports: modules("#gen/"),
    sideEffects: false,
    engines: { node: ">=20" },
    dependencies: others,
  });
}

function modules(prefix) {
  return Object.fromEntries(
    Object.entries(MODULES).map(([name, path]) => [
      `${prefix}${name}/*`,
      { types: `./gen/${path}/*_pb.d.ts`, default: `./gen/${path}/*_pb.js` },
    ]),
  );
}
