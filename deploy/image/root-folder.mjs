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

/** What native code of packages may ask Node for. */
const INTERFACE_OF_NODE = /^(?:napi|node_api|uv)_/;

/** Programs and libraries by their place in the image. */
const programs = new Map();
const libraries = librariesOf(base);

mkdirSync(root, { recursive: true });
for (const name of ["lib", "lib64", "bin", "sbin"]) linkToUsr(name);
// Node is compiled without exceptions.
addProgram(node, "/usr/local/bin/node", { unwinds: false, isFound: (name) => INTERFACE_OF_NODE.test(name) });
addProgram(join(base, "usr/bin/dash"), "/usr/bin/sh");
addPackages();
copyPrograms();
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
    // A library that native code of its package names; that code itself is asked by Node for names that no file tells.
    else addProgram(path, place, path.endsWith(".so") ? { isFound: () => false } : {});
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

/** A program or library, and what it needs, if it is one. `unwinds`: as copyLoaded has it; `isFound`: which of its symbols are found by their name alone. */
function addProgram(from, to, options) {
  if (programs.has(to)) return;
  const elf = readElf(from);
  if (!elf) return;
  programs.set(to, { from, symbols: new Set(elf.symbols), ...options });
  if (elf.interpreter) addProgram(libraries.get(basename(elf.interpreter))?.path ?? "", elf.interpreter);
  for (const name of elf.needed) {
    const library = libraries.get(name);
    // Else it lies beside what needs it, as DuckDB's does.
    if (library) addProgram(library.path, library.place);
    else if (!existsSync(join(dirname(from), name)))
      throw new Error(`${basename(from)} needs ${name}, which ${base} lacks`);
  }
}

/** When all are known, because each keeps the symbols that another one names. */
function copyPrograms() {
  for (const [to, { from, unwinds, isFound }] of programs) {
    const others = [...programs].filter(([place]) => place !== to).map(([, { symbols }]) => symbols);
    const isNamed = isFound && ((name) => isFound(name) || others.some((symbols) => symbols.has(name)));
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyLoaded(from, join(root, to), { unwinds, isNamed });
    chmodSync(join(root, to), 0o755);
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
