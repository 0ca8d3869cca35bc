import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, ordinaryUser, untilItAnswers } from "./throwaway-postgres.ts";

/** A real PgBouncer in transaction mode before a database, with fewer connections to it than clients have to the pooler. */
export interface ThrowawayPgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

const PROGRAM = "/usr/sbin/pgbouncer";

/** Why PgBouncer is not available; undefined when it is. */
export function withoutPgBouncer(): string | undefined {
  return existsSync(PROGRAM) ? undefined : "PgBouncer is not installed: apt-get install pgbouncer";
}

/** Starts one on a free port of the loopback interface. `connections`: to the database, at most. */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<ThrowawayPgBouncer> {
  const { hostname, port: databasePort, username, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const user = process.getuid?.() === 0 ? ordinaryUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const name = pathname.slice(1);
  writeFileSync(
    file,
    `[databases]
${name} = host=${hostname} port=${databasePort} user=${username} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 100
`,
  );
  const child = spawn(PROGRAM, ["-q", file], { stdio: "ignore", cwd: folder, ...user });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `postgresql://${username}@127.0.0.1:${port}/${name}`;
  await untilItAnswers(url, ended);
  return {
    url,
    async stop() {
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
