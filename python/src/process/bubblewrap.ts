import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { GuestCommand } from "./guest-channel.ts";

/** Where distributions put it. A search path would come from the environment, which the guest's command must not depend on. */
const LOCATIONS = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];

/** A container's default settings may refuse namespaces only after a while; nobody waits for the answer. */
const PROBE_TIMEOUT_MS = 5_000;

const ISOLATION = [
  ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"],
  ...["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64"],
  ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/"],
];

/** Linux namespaces around a guest process: no network, no other process, and of the files only what it executes. */
export interface Bubblewrap {
  wrap(command: GuestCommand, readable: readonly string[]): GuestCommand;
}

/** Finds bubblewrap and tries it with the runtime's binary; undefined where it is absent or may not make namespaces. */
export async function probeBubblewrap(binary: string): Promise<Bubblewrap | undefined> {
  const file = LOCATIONS.find((location) => existsSync(location));
  if (!file) return undefined;
  const bubblewrap: Bubblewrap = { wrap: (command, readable) => wrapCommand(file, command, readable) };
  const probe = bubblewrap.wrap({ file: binary, args: ["--version"], env: {} }, [binary]);
  try {
    await promisify(execFile)(probe.file, [...probe.args], {
      env: {},
      timeout: PROBE_TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    return bubblewrap;
  } catch {
    return undefined; // namespaces are not allowed here: the sealed interpreter and its runtime stand without them
  }
}

function wrapCommand(bubblewrap: string, command: GuestCommand, readable: readonly string[]): GuestCommand {
  const binds = readable.flatMap((path) => ["--ro-bind", path, path]);
  const variables = Object.entries(command.env).flatMap(([name, value]) => ["--setenv", name, value]);
  return {
    file: bubblewrap,
    args: [...ISOLATION, ...binds, ...variables, "--", command.file, ...command.args],
    env: {},
  };
}
