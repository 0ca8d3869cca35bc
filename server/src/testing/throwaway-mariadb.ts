import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, ordinaryUser } from "./throwaway-postgres.ts";

/** A real MariaDB server of its own, in a temporary folder. It takes every login. */
export interface ThrowawayMariaDb {
  /** `mysql://…` without a schema. */
  readonly url: string;
  stop(): Promise<void>;
}

const PROGRAM = ["/usr/sbin/mariadbd", "/usr/local/bin/mariadbd", "/opt/homebrew/bin/mariadbd"];

/** Why MariaDB is not available; undefined when it is. */
export function withoutMariaDb(): string | undefined {
  return PROGRAM.some((path) => existsSync(path))
    ? undefined
    : "MariaDB is not installed: apt-get install mariadb-server";
}

/** Starts a server over an empty folder on a free port of the loopback interface. It does not run as root, so root starts it as another user. */
export async function startMariaDb(): Promise<ThrowawayMariaDb> {
  const folder = mkdtempSync(join(tmpdir(), "mariadb-"));
  const data = join(folder, "data");
  mkdirSync(data);
  const user = process.getuid?.() === 0 ? ordinaryUser() : undefined;
  if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const port = await freePort();
  const settings = {
    ...{ datadir: data, socket: join(folder, "socket"), "pid-file": join(folder, "pid"), port: String(port) },
    ...{ "bind-address": "127.0.0.1", "innodb-buffer-pool-size": "32M", "innodb-flush-log-at-trx-commit": "0" },
  };
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const program = PROGRAM.find((path) => existsSync(path)) ?? "";
  const server = spawn(program, ["--no-defaults", "--skip-grant-tables", "--skip-log-bin", ...flags], {
    stdio: "ignore",
    cwd: folder,
    ...user,
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const url = `mysql://owner@127.0.0.1:${port}`;
  await untilItAnswers(url, ended);
  return {
    url,
    async stop() {
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(url: string, ended: Promise<void>): Promise<void> {
  const { createConnection } = await import("mysql2/promise");
  let over = false;
  void ended.then(() => {
    over = true;
  });
  for (;;) {
    if (over) throw new Error("MariaDB ended before it answered");
    try {
      const connection = await createConnection(url);
      await connection.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
