// Makes the root folder of the image: Node, a shell, the installed packages, and the libraries that they need. No package manager, no other program.
//   node root-folder.mjs <root of the base image> <node> <folder of the installed packages> <new root>
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { copyLoaded, readElf } from "./elf.mjs";

const [base, node, packages, root] = process.argv.slice(2);

/** Where the packages are in the image. */
const INSTALLED = "/opt/frontdesk";

/** What the packages have for developers, and the loader of Pyodide, in whose place sealed Python has its own. */
const LEFT_OUT =
  /\.d\.[cm]?ts$|\.map$|\/(?:README|CHANGELOG)[^/]*$|\/pyodide\/(?:console\.html|pyodide\.m?js|pyodide-lock\.json)$/i;

/** What sealed Python reads compressed as well: a quarter of its size, for a twentieth of a second when a server starts. */
const COMPRESSED = /\/python-image\/[^/]+\/(?:image|resources)\.bin$|\/interpreter\.wasm$|\/pyodide\.asm\.(?:wasm|js)$/;
const LEVEL = 19;

/** What people read, seldom: an eighth of its size, as Debian keeps its own. */
const TEXTS = /\/server\/(?:THIRD-PARTY\.txt|sbom\.cdx\.json)$/;

const done = new Set();
const libraries = librariesOf(base);

mkdirSync(root, { recursive: true });
for (const name of ["lib", "lib64", "bin", "sbin"]) linkToUsr(name);
// Node is compiled without exceptions.
addProgram(node, "/usr/local/bin/node", { unwinds: false });
addProgram(join(base, "usr/bin/dash"), "/usr/bin/sh");
addPackages();
// In place of the package's own, which needs /usr/bin/env.
const command = `exec /usr/local/bin/node ${INSTALLED}/node_modules/@frontdesk/server/bin/frontdesk.mjs "$@"`;
writeFileSync(join(root, "usr/bin/frontdesk"), `#!/usr/bin/sh\n${command}\n`, { mode: 0o755 });
for (const folder of ["/tmp", "/etc", "/proc", "/dev"]) mkdirSync(join(root, folder), { recursive: true });
chmodSync(join(root, "tmp"), 0o1777);
writeFileSync(
  join(root, "etc/passwd"),
  "root:x:0:0:root:/:/bin/sh\nfrontdesk:x:10001:10001::/var/lib/frontdesk:/bin/sh\n",
);
writeFileSync(join(root, "etc/group"), "root:x:0:\nfrontdesk:x:10001:\n");
writeFileSync(join(root, "etc/nsswitch.conf"), "hosts: files dns\n");

/** As in the base: what is in /lib lies in /usr/lib. */
function linkToUsr(name) {
  mkdirSync(join(root, "usr", name), { recursive: true });
  symlinkSync(`usr/${name}`, join(root, name));
}

function addPackages() {
  const kept = (path) => !LEFT_OUT.test(path);
  cpSync(packages, join(root, INSTALLED), { recursive: true, verbatimSymlinks: true, filter: kept });
  for (const entry of readdirSync(packages, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !kept(path)) continue;
    const place = path.replace(packages, INSTALLED);
    if (COMPRESSED.test(path)) replace(join(root, place), ".zst", forPython);
    else if (TEXTS.test(path)) replace(join(root, place), ".gz", forPeople);
    else addProgram(path, place);
  }
}

function replace(file, ending, compress) {
  writeFileSync(file + ending, compress(readFileSync(file)));
  rmSync(file);
}

function forPython(content) {
  return zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
}

function forPeople(content) {
  return gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
}

/** A program or library, and what it needs, if it is one. `unwinds`: as copyLoaded has it. */
function addProgram(from, to, options) {
  if (done.has(to)) return;
  const elf = readElf(from);
  if (!elf) return;
  done.add(to);
  mkdirSync(dirname(join(root, to)), { recursive: true });
  copyLoaded(from, join(root, to), options);
  chmodSync(join(root, to), 0o755);
  if (elf.interpreter) addProgram(libraries.get(basename(elf.interpreter))?.path ?? "", elf.interpreter);
  for (const name of elf.needed) {
    const library = libraries.get(name);
    // Else it lies beside what needs it, as DuckDB's does.
    if (library) addProgram(library.path, library.place);
    else if (!existsSync(join(dirname(from), name)))
      throw new Error(`${basename(from)} needs ${name}, which ${base} lacks`);
  }
}

/** Libraries of the base by name: where they lie there, and where in the image. */
function librariesOf(folder) {
  const found = new Map();
  for (const place of readdirSync(join(folder, "usr/lib")).filter((name) => name.endsWith("-linux-gnu")))
    for (const name of readdirSync(join(folder, "usr/lib", place)))
      if (/\.so(\.|$)/.test(name)) {
        const path = join(folder, "usr/lib", place, name);
        if (existsSync(path)) found.set(name, { path: realpathSync(path), place: `/usr/lib/${place}/${name}` });
      }
  return found;
}
