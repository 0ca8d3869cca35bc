import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compressPages } from "./compressed-pages.mjs";
import { bundleServer, OUTSIDE } from "./server-bundle.mjs";
import { copyInto, emptyFolder, readManifest, writeManifest } from "./stage.mjs";
import { docsFiles, writeThirdParties } from "./third-parties.mjs";

/** What the server runs without, and then refuses what needs it: native code, of which a machine has one build or none. */
const OPTIONAL = new Set(["@duckdb/node-api", "@resvg/resvg-js"]);

/**
 * `@frontdesk/server`: the bundle, the console, the examples, and an image of Python, so that the first start builds none.
 * `sealedPython` is the staged package, whose files the image is made of.
 */
export async function stageServer(folder, sealedPython, { withDocs }) {
  const { description, version, dependencies } = readManifest("server");
  emptyFolder(folder);
  const bundled = await bundleServer(join(folder, "dist"));
  copyInto(folder, {
    "server/bin": "bin",
    "server/guest": "guest",
    "console/dist": "console/dist",
    ...(withDocs && { "dist/docs": "dist/docs" }),
    ...Object.fromEntries(["order-desk", "shop", "templates"].map((name) => [`examples/${name}`, `examples/${name}`])),
    "scripts/pack/server-readme.md": "README.md",
    LICENSE: "LICENSE",
  });
  await compressPages(join(folder, "console", "dist"));
  if (withDocs) await compressPages(join(folder, "dist", "docs"));
  await writeImage(folder, sealedPython, version);
  const needed = OUTSIDE.map((name) => [name, name === "@frontdesk/sealed-python" ? version : dependencies[name]]);
  const manifest = {
    name: "@frontdesk/server",
    ...{ version, description },
    bin: { frontdesk: "bin/frontdesk.mjs" },
    imports: { "#places": "./dist/places.js" },
    exports: { "./package.json": "./package.json" },
    engines: { node: ">=22.19" },
    dependencies: Object.fromEntries(needed.filter(([name]) => !OPTIONAL.has(name))),
    optionalDependencies: Object.fromEntries(needed.filter(([name]) => OPTIONAL.has(name))),
  };
  writeManifest(folder, manifest);
  writeThirdParties(folder, manifest, withDocs ? [...bundled, ...docsFiles()] : bundled);
}

async function writeImage(folder, sealedPython, version) {
  const { writeImage } = await import(pathToFileURL(join(sealedPython, "dist", "index.js")).href);
  await writeImage({
    folder: join(folder, "python-image"),
    programFolder: join(folder, "guest", "frontdesk_guest"),
    seed: `frontdesk ${version}`,
  });
}
