import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real PostgreSQL server of its own, in a temporary folder. */
export interface ThrowawayPostgres {
  /** `postgresql://…` of a role that owns the database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Where Debian and other systems install the programs of the server. */
function binaries(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((left, right) => Number(right) - Number(left))
    : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    "/usr/local/bin",
    "/usr/bin",
    "/opt/homebrew/bin",
  ];
  return folders.find((folder) => ["initdb", "postgres"].every((program) => existsSync(join(folder, program))));
}

/** Why PostgreSQL is not available; undefined when it is. */
export function withoutPostgres(): string | undefined {
  return binaries() ? undefined : "PostgreSQL is not installed: apt-get install postgresql";
}

/** Creates a cluster and starts it on a free port of the loopback interface. PostgreSQL does not run as root, so root starts it as another user. */
export async function startPostgres(): Promise<ThrowawayPostgres> {
  const bin = binaries() ?? "";
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const user = process.getuid?.() === 0 ? ordinaryUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { stdio: "ignore" as const, cwd: folder, ...user };
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    options,
  );
  const port = await freePort();
  const settings = [
    "fsync=off",
    "shared_buffers=32MB",
    "max_connections=20",
    "log_min_messages=panic",
    "autovacuum=off",
  ];
  const server = spawn(
    join(bin, "postgres"),
    [
      "-D",
      data,
      "-p",
      String(port),
      "-k",
      folder,
      "-h",
      "127.0.0.1",
      ...settings.flatMap((setting) => ["-c", setting]),
    ],
    options,
  );
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const url = `postgresql://owner@127.0.0.1:${port}/postgres`;
  await untilItAnswers(url, ended);
  return {
    url,
    async stop() {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ordinaryUser(): { readonly uid: number; readonly gid: number } {
  for (const name of ["postgres", "nobody"]) {
    try {
      const ids = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" })));
      const [uid = 0, gid = 0] = ids;
      return { uid, gid };
    } catch {
      // The machine has no such user; the next one is tried.
    }
  }
  throw new Error("PostgreSQL does not run as root, and there is neither a user postgres nor nobody");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

async function untilItAnswers(url: string, ended: Promise<void>): Promise<void> {
  const { default: pg } = await import("pg");
  let over = false;
  void ended.then(() => {
    over = true;
  });
  for (;;) {
    if (over) throw new Error("PostgreSQL ended before it answered");
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
