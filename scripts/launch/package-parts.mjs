import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BUILD_FOLDER } from "./install.mjs";
import { lockedPackages } from "./locked-packages.mjs";
import { fail, runStep, stopping } from "./progress.mjs";

/**
 * Unpacks files of locked packages into a folder of its own below `BUILD_FOLDER`, as `node_modules`, and returns it. npm fetches the packages, and `tar`
 * unpacks what is read of them: npm itself would unpack all, which takes most of a first start. `parts`: for the path of each
 * package the files and folders that are wanted; all of them where none are named.
 */
export async function unpackParts(name, parts, title) {
  const folder = join(BUILD_FOLDER, name);
  const tarballs = join(folder, "tarballs");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(tarballs, { recursive: true });
  try {
    const wanted = Object.entries(parts).map(([path, files]) => ({ path, files, ...lockedAs(path) }));
    const specs = wanted.map((locked) => `${locked.name}@${locked.version}`);
    await runStep(title, "npm", ["pack", ...specs, "--ignore-scripts", "--loglevel=error"], {
      cwd: tarballs,
      failure: "Packages could not be fetched; 'npm pack' said:",
    });
    for (const locked of wanted) await unpack(join(tarballs, tarballOf(locked)), folder, locked);
    rmSync(tarballs, { recursive: true });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    throw error;
  }
}

function lockedAs(path) {
  const { version, integrity } = lockedPackages()[path];
  return { name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), version, integrity };
}

/** The name that npm gives the tarball of a package. */
function tarballOf({ name, version }) {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

async function unpack(tarball, folder, { name, path, files, integrity }) {
  const hash = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (hash !== integrity) fail(`The package ${name} is not the one in package-lock.json.`);
  const to = join(folder, path);
  mkdirSync(to, { recursive: true });
  const members = files.length > 0 ? files.map((file) => `package/${file}`) : ["package"];
  const child = spawn("tar", ["-xzf", tarball, "-C", to, "--strip-components=1", ...members], {
    stdio: ["ignore", "ignore", "pipe"],
    signal: stopping.signal,
  });
  let said = "";
  child.stderr.on("data", (data) => {
    said += data;
  });
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) fail(`The package ${name} could not be unpacked; tar said:\n${said.trim()}`);
}
