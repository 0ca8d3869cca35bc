import type { Config } from "../config.ts";
import type { Finding } from "./finding.ts";

/** The first version of Node with what the server needs. */
const OLDEST = [22, 19] as const;

/** Whether this version of Node has what the server needs. */
export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isNew = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  const detail = `Node ${process.versions.node}, ${process.platform}-${process.arch}`;
  if (isNew) return { name: "node", state: "ok", detail };
  return { name: "node", state: "fault", detail, fix: `install Node ${OLDEST.join(".")} or newer` };
}

/** Variables that look like settings and are none. */
export function checkVariables({ ignored }: Pick<Config, "ignored">): readonly Finding[] {
  return ignored.map((detail) => ({ name: "environment", state: "warning", detail, fix: "correct or remove it" }));
}

/** Hosts that give credentials of the machine to who asks. */
const METADATA_HOSTS: ReadonlySet<string> = new Set(["169.254.169.254", "metadata.google.internal"]);

/** What tools and user code may reach of the private network. */
export function checkEgress({ egressAllow }: Pick<Config, "egressAllow">): Finding {
  if (egressAllow.length === 0)
    return { name: "egress", state: "ok", detail: "tools and user code reach no private address" };
  const detail = `tools and user code reach these private hosts: ${egressAllow.join(", ")}`;
  const isOpen = egressAllow.some((host) => METADATA_HOSTS.has(host.replace(/:\d+$/, "")));
  if (!isOpen) return { name: "egress", state: "ok", detail };
  return {
    name: "egress",
    state: "warning",
    detail,
    fix: "take the metadata server of the machine off the list: it gives its credentials away",
  };
}
