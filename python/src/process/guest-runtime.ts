import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, extname, join, parse } from "node:path";
import type { Bubblewrap } from "./bubblewrap.ts";
import type { GuestCommand } from "./guest-channel.ts";

const require = createRequire(import.meta.url);

/** Folder of the code that runs in the guest process; it imports nothing outside. */
const SEALED_FOLDER = join(import.meta.dirname, "../sealed");

/** The guest's entry: the source, or its compiled form in a published package. */
export const GUEST_ENTRY = join(SEALED_FOLDER, `guest-process${extname(import.meta.filename)}`);

/**
 * The native stack that CPython's recursion limit of 1000 was measured with; a heap that needs no more, with little room for
 * what is young, because a call leaves little behind. What is computed often is compiled well after a sixth of the usual
 * time, and by one thread, so that other guests have the processors meanwhile. It is compiled once: a guess about the next
 * call that fails takes the long way round, instead of having the interpreter's loop (0.3 s) compiled again.
 */
const V8_FLAGS = [
  ...["--stack-size=3600", "--max-old-space-size=96", "--max-semi-space-size=1"],
  ...["--wasm-tiering-budget=2000000", "--wasm-num-compilation-tasks=1"],
];

/** Node ends when it does not know a flag; V8 has it since Node 24, and Node 22 does not guess. */
const NO_DEOPT = "--no-wasm-deopt";
const NODE_GUESSES = Number(process.versions.node.split(".")[0]) >= 24;

const DENO_ARGS = [
  ...["run", "--no-prompt", "--no-remote", "--no-npm", "--cached-only", "--no-config", "--no-lock", "--no-code-cache"],
  ...[
    "--deny-read",
    "--deny-write",
    "--deny-net",
    "--deny-env",
    "--deny-run",
    "--deny-ffi",
    "--deny-sys",
    "--deny-import",
  ],
  `--v8-flags=${[...V8_FLAGS, NO_DEOPT].join(",")}`,
];

const NODE_ARGS = [
  ...["--permission", `--allow-fs-read=${join(SEALED_FOLDER, "*")}`, "--no-warnings", "--disable-proto=delete"],
  ...V8_FLAGS,
  ...(NODE_GUESSES ? [NO_DEOPT] : []),
];

/**
 * How the C library gives memory back, where it is the GNU one: the engine frees large pieces while it starts and compiles
 * (32 KiB each), which would otherwise stay with the process.
 */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: "32768", MALLOC_TRIM_THRESHOLD_: "131072" };

/** The command for a guest process: no permission, an empty environment, bubblewrap around it where it works. */
export function guestCommand(runtime: "deno" | "node", file: string, bubblewrap: Bubblewrap | undefined): GuestCommand {
  const args = [...(runtime === "deno" ? DENO_ARGS : NODE_ARGS), GUEST_ENTRY];
  const env: Record<string, string> =
    runtime === "deno"
      ? { DENO_DIR: join(parse(file).root, "nonexistent"), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1", ...ALLOCATOR }
      : { ...ALLOCATOR };
  return bubblewrap ? bubblewrap.wrap({ file, args, env }, [file, SEALED_FOLDER]) : { file, args, env };
}

/**
 * The Deno binary of the npm package, or undefined. With install scripts the package moves it into its own folder;
 * without, it stays in the package of the platform.
 */
export function findDeno(): string | undefined {
  const name = platform() === "win32" ? "deno.exe" : "deno";
  const own = folderOf("deno");
  const system = platform() === "linux" ? `linux-${arch()}-glibc` : `${platform()}-${arch()}`;
  const candidates = [
    own && join(own, name),
    ...[folderOf(`@deno/${system}`)].map((folder) => folder && join(folder, name)),
  ];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

function folderOf(packageName: string): string | undefined {
  try {
    return dirname(require.resolve(`${packageName}/package.json`));
  } catch {
    return undefined; // an optional dependency that is not installed
  }
}
