// Memory of the guest processes, read from Linux.
import { readdirSync, readFileSync } from "node:fs";

/** Bytes: what is resident, the same with shared pages divided among their users, and what would be free without it. */
interface GuestMemory {
  readonly resident: number;
  readonly proportional: number;
  readonly own: number;
}

/** Process ids of this process's children; guests are all it has. Inside bubblewrap the guest is a grandchild. */
export function guestProcesses(parent: number = process.pid): number[] {
  const children = readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    readFileSync(`/proc/${parent}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return children.flatMap((child) => {
    const below = guestProcesses(child);
    return below.length > 0 ? below : [child];
  });
}

export function guestMemory(process: number): GuestMemory {
  const text = readFileSync(`/proc/${process}/smaps_rollup`, "utf8");
  const bytes = (name: string) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
  return {
    resident: bytes("Rss"),
    proportional: bytes("Pss"),
    own: bytes("Private_Clean") + bytes("Private_Dirty"),
  };
}
