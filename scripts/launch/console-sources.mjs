// What the console is built from.
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./progress.mjs";

/** Files and folders of the checkout. The console shares code with the server. */
export const CONSOLE_SOURCES = [
  ...["src", "public", "build", "index.html", "package.json", "tsconfig.json", "vite.config.ts"].map(
    (name) => `console/${name}`,
  ),
  ...[
    ...[
      "access/roles",
      "base/csv-line.ts",
      "analytics/charts/bar-list-height.ts",
      "evaluation/statistics",
      "evaluation/verdict.ts",
    ],
    ...["session/redaction"],
  ].map((name) => `server/src/${name}`),
  "server/guest/frontdesk.pyi",
  "protos/package.json",
  "protos/file-descriptors.js",
  "tsconfig.base.json",
];
const GENERATED = "protos/gen";

/** Changes with the sources. */
export function sourceStamp() {
  const hash = createHash("sha256");
  for (const file of [...CONSOLE_SOURCES.flatMap(filesOf).sort(), `${GENERATED}/.stamp`])
    hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

/** Copies them to the same places below another folder, which has the packages. */
export function copySourcesTo(folder) {
  for (const path of [...CONSOLE_SOURCES, GENERATED]) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

function filesOf(path) {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
}
