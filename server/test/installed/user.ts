import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { dirname, join } from "node:path";

/** `nobody`, on every system that has one. */
const NOBODY = 65_534;

/** Who installs: with what environment and, where this process may choose, as a user without rights. */
export interface User {
  readonly env: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
}

/** A user whose home is `home`, an existing folder, and whose `node` is this executable. Root becomes `nobody`, where that user can read it. */
export function plainUser(home: string, node: string): User {
  const env = {
    PATH: `${dirname(node)}:${process.env.PATH}`,
    HOME: home,
    // A clean cache: nothing comes from earlier installations.
    npm_config_cache: join(home, ".npm"),
    ...registry(),
  };
  const asNobody = { env, uid: NOBODY, gid: NOBODY };
  const mayLower = process.getuid?.() === 0 && spawnSync(node, ["-e", ""], asNobody).status === 0;
  if (!mayLower) return { env };
  chownSync(home, NOBODY, NOBODY);
  return asNobody;
}

/** Where this machine's npm gets packages from, and through what. */
function registry(): NodeJS.ProcessEnv {
  const kept = /^(npm_config_(registry|cafile)|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i;
  const address = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();
  const set = Object.entries(process.env).filter(([name]) => kept.test(name));
  return { npm_config_registry: address, ...Object.fromEntries(set) };
}
