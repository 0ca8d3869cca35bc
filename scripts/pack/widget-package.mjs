import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../launch/progress.mjs";
import { copyInto, emptyFolder, readManifest, runTool, writeManifest, writeText } from "./stage.mjs";

const SOURCE = join(ROOT, "console", "src", "widget", "widget.ts");

/** Where there is no document, as in a server that renders pages, the import does nothing. */
const NO_DOCUMENT = "// The chat is an element of a page; a server that renders pages has none.\nexport {};\n";

/** `@frontdesk/widget`: the chat for other sites as a module, with its types, and as the script that servers serve. */
export async function stageWidget(folder) {
  const { version } = readManifest("server");
  emptyFolder(folder);
  const bundle = await rolldown({ cwd: ROOT, input: SOURCE, platform: "browser" });
  await bundle.write({ file: join(folder, "dist", "index.js"), format: "esm", minify: true });
  await bundle.close();
  writeText(folder, "dist/no-document.js", NO_DOCUMENT);
  runTool("typescript/bin/tsc", ["-p", "scripts/pack/widget.tsconfig.json", "--outDir", join(folder, "types")]);
  copyInto(folder, {
    "console/dist/widget.js": "dist/widget.js",
    "scripts/pack/widget-readme.md": "README.md",
    LICENSE: "LICENSE",
  });
  writeManifest(folder, {
    name: "@frontdesk/widget",
    version,
    description: "A chat with an agent of Frontdesk for pages of your own site: one element, without a framework",
    exports: {
      ".": { types: "./types/widget.d.ts", node: "./dist/no-document.js", default: "./dist/index.js" },
      "./widget.js": "./dist/widget.js",
    },
    sideEffects: true,
  });
}
