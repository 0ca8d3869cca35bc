// Which files of packages went into the pages' scripts: their licences are passed on with them.
import { writeFileSync } from "node:fs";

/** A plugin of Vite that writes the modules of all chunks, as a list of paths in JSON, into a file. */
export function packagesIn(file) {
  const found = new Set();
  return {
    name: "bundled-packages",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk") for (const id of chunk.moduleIds) found.add(id.replace(/\?.*$/, ""));
      writeFileSync(file, `${JSON.stringify([...found].sort(), undefined, 1)}\n`);
    },
  };
}
