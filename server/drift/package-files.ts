import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The files of a package's version in a folder of their own, which disposing deletes. */
interface PackageFiles extends Disposable {
  readonly folder: string;
}

/** Downloads `name@version` with npm and unpacks it. Nothing of it is run. */
export function fetchPackage(spec: string): PackageFiles {
  const scratch = mkdtempSync(join(tmpdir(), "package-"));
  const remove = () => rmSync(scratch, { recursive: true });
  try {
    run("npm", ["pack", spec, "--silent", "--pack-destination", scratch]);
    const [archive = ""] = readdirSync(scratch);
    run("tar", ["-xzf", join(scratch, archive), "-C", scratch]);
    return { folder: join(scratch, "package"), [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function run(command: string, args: readonly string[]): void {
  const done = spawnSync(command, args, { encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${done.stderr || done.error?.message}`);
}
