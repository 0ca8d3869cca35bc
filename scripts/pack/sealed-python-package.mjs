import { join } from "node:path";
import { copyInto, emptyFolder, readManifest, runTool, writeManifest } from "./stage.mjs";

/** `@frontdesk/sealed-python`: its sources one by one, because guests may read no file outside their folder. */
export function stageSealedPython(folder) {
  const { name, version, description, dependencies, optionalDependencies } = readManifest("python");
  emptyFolder(folder);
  runTool("typescript/bin/tsc", ["-p", "scripts/pack/sealed-python.tsconfig.json", "--outDir", join(folder, "dist")]);
  copyInto(folder, {
    "python/guest": "guest",
    "python/README.md": "README.md",
    "python/src/sealed/web-assembly.d.ts": "dist/sealed/web-assembly.d.ts",
    LICENSE: "LICENSE",
  });
  writeManifest(folder, {
    ...{ name, version, description },
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./json": { types: "./dist/json-spelling.d.ts", default: "./dist/json-spelling.js" },
    },
    engines: { node: ">=22.15" },
    ...{ dependencies, optionalDependencies },
  });
}
