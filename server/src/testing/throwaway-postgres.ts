import { execFileSync, type SpawnOptions, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real PostgreSQL server of its own, in a temporary folder. */
export interface ThrowawayPostgres {
  /** `postgresql://…` of a role that owns the database `postgres`. */
  readonly url: string;
  /** Process id of the server; its connections are children of it. */
  readonly pid: number | undefined;
  /** Ends it as a crash does, and starts it again at the same address. */
  restart(): Promise<void>;
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

/** How a throwaway server differs from the usual one. */
interface PostgresOptions {
  /** Whether commits wait for the disk. Default false. */
  readonly fsync?: boolean;
  /** What everybody has to show who connects over the network. Default nothing. */
  readonly password?: string;
  /** Files of a certificate and its key. Default: no TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Settings (`name=value`) besides those of every such server, or in their place. */
  readonly settings?: readonly string[];
}

/** Creates a cluster and starts it on a free port of the loopback interface. PostgreSQL does not run as root, so root starts it as another user. */
export async function startPostgres({
  fsync = false,
  password,
  tls,
  settings = [],
}: PostgresOptions = {}): Promise<ThrowawayPostgres> {
  const bin = binaries() ?? "";
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const user = process.getuid?.() === 0 ? ordinaryUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { stdio: "ignore" as const, cwd: folder, ...user };
  const secret = join(folder, "password");
  if (password !== undefined) writeFileSync(secret, password);
  execFileSync(
    join(bin, "initdb"),
    [
      ...["-D", data, "-U", "owner", "-E", "UTF8", "--locale=C", "--no-sync"],
      ...(password === undefined ? ["-A", "trust"] : ["-A", "scram-sha-256", `--pwfile=${secret}`]),
    ],
    options,
  );
  const all = [...(tls ? tlsSettings(tls, folder, user) : []), ...settings];
  const place: Place = { folder, password, user, settings: all };
  return serve(place, fsync);
}

/** Starts a standby that follows a server: it takes reads only, and has what is stored a moment later. */
export async function startStandby({ url }: ThrowawayPostgres): Promise<ThrowawayPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-standby-"));
  const user = process.getuid?.() === 0 ? ordinaryUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const args = ["-d", url, "-D", join(folder, "data"), "-R", "-X", "stream", "-c", "fast", "--no-sync"];
  execFileSync(join(binaries() ?? "", "pg_basebackup"), args, { stdio: "ignore", cwd: folder, ...user });
  return serve({ folder, user, password: undefined, settings: [] }, false);
}

interface Place {
  readonly folder: string;
  readonly user: OwnUser | undefined;
  readonly password: string | undefined;
  /** Besides those of every server. */
  readonly settings: readonly string[];
}

/** Starts a server over the cluster of a folder, on a free port. */
async function serve({ folder, user, password, settings: more }: Place, fsync: boolean): Promise<ThrowawayPostgres> {
  const bin = binaries() ?? "";
  const data = join(folder, "data");
  const options = { stdio: "ignore" as const, cwd: folder, ...user };
  const port = await freePort();
  const settings = [
    `fsync=${fsync ? "on" : "off"}`,
    "shared_buffers=32MB",
    "max_connections=40",
    "log_min_messages=panic",
    "autovacuum=off",
    ...more,
  ];
  const url = `postgresql://owner${password === undefined ? "" : `:${password}`}@127.0.0.1:${port}/postgres`;
  const flags = settings.flatMap((setting) => ["-c", setting]);
  const args = ["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1", ...flags];
  const start = () => started(join(bin, "postgres"), args, options, url);
  let running = await start();
  return {
    url,
    get pid() {
      return running.pid;
    },
    async restart() {
      await running.end("SIGQUIT");
      running = await start();
    },
    async stop() {
      await running.end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL takes a key only from a file that nobody else may read. */
function tlsSettings({ cert, key }: { readonly cert: string; readonly key: string }, folder: string, user?: OwnUser) {
  const copy = join(folder, "server.key");
  copyFileSync(key, copy);
  chmodSync(copy, 0o600);
  if (user) chownSync(copy, user.uid, user.gid);
  return ["ssl=on", `ssl_cert_file=${cert}`, `ssl_key_file=${copy}`];
}

async function started(program: string, args: readonly string[], options: SpawnOptions, url: string) {
  const server = spawn(program, args, options);
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await untilItAnswers(url, ended);
  return {
    pid: server.pid,
    end: async (signal: NodeJS.Signals) => {
      server.kill(signal);
      await ended;
    },
  };
}

interface OwnUser {
  readonly uid: number;
  readonly gid: number;
}

/** Whom root starts programs as that refuse to run as root. */
export function ordinaryUser(): OwnUser {
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

/** A port of the loopback interface that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

/** Waits for a database behind a URL. Rejects when `ended` resolves first. */
export async function untilItAnswers(url: string, ended: Promise<void>): Promise<void> {
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
