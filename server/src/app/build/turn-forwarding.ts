import { networkInterfaces } from "node:os";
import { deferStream, definedFields } from "#base";
import { createTurnClient, newConnectionKey, openTurnServer, type RunForwarded, type TurnServer } from "#replicas";
import type { ChargedModels, SnapshotResolver } from "#services";
import type { SessionEngine, TurnForwarding } from "#session";
import { ConfigError } from "../config/config-values.ts";
import type { Platform } from "./platform.ts";

/** How the servers of a database run each other's turns (DB-53). */
interface ForwardingParts {
  readonly forwarding: TurnForwarding;
  portFor(deps: TurnPortDeps): TurnPort;
  /** Ends all connections, once answers are sent. */
  close(): Promise<void>;
}

/** Where this server takes turns of others. */
export interface TurnPort {
  /** Tells the others where the port is, once it is open. Throws `ConfigError` when it cannot be opened. */
  open(): Promise<void>;
  /** Takes no more turns. */
  drain(): void;
}

interface TurnPortDeps {
  /** Runs what others admitted and count. */
  readonly engine: Pick<SessionEngine, "runTurn">;
  readonly snapshots: SnapshotResolver;
  /** What the turns cost is charged to who asked the other server. */
  readonly charged: ChargedModels;
}

/** Undefined where one server has all sessions, and where sessions are recorded: a recording has what its own server did. */
export function createForwarding(platform: Platform, takenMs?: number): ForwardingParts | undefined {
  const { config, storage, sealer, metrics, ownPorts, recorder, logger } = platform;
  const { replica } = storage;
  if (!replica || recorder) return undefined;
  const client = createTurnClient({
    openKey: ({ id, sealedKey }) => sealer.open(sealedKey, purposeOf(id)),
    isAlive: replica.isAlive,
    observe: (outcome) => metrics.turnsForwarded.inc({ outcome }),
    logger,
    ...definedFields({ takenMs }),
  });
  const { turnsHost, turnsPort = 0 } = config.database ?? {};
  let server: TurnServer | undefined;
  return {
    forwarding: client,
    portFor: (deps) => ({
      async open() {
        const key = newConnectionKey();
        const run = runForwardedWith(deps);
        const listening = { host: config.host, port: turnsPort, id: replica.id, key, run, logger };
        server = await openTurnServer(listening).catch((error: NodeJS.ErrnoException) => {
          throw new ConfigError(
            `The port ${turnsPort} for turns of other servers (FRONTDESK_REPLICA_PORT) cannot be opened: ${error.code ?? error.message}.`,
          );
        });
        ownPorts.add(server.port);
        const host = turnsHost ?? reachable(config.host);
        await replica.announce({ host, port: server.port, sealedKey: sealer.seal(key, purposeOf(replica.id)) });
      },
      drain: () => server?.drain(),
    }),
    async close() {
      client.close();
      await server?.close();
    },
  };
}

function runForwardedWith({ engine, snapshots, charged }: TurnPortDeps): RunForwarded {
  return (turn) =>
    deferStream(async () => {
      const snapshot = await snapshots.forSession(turn.config);
      return engine.runTurn({ ...turn, snapshot, models: charged(turn.sender, turn.session) });
    });
}

/** What the key of a server's connections is sealed for. */
function purposeOf(id: string): string {
  return `turns of ${id}`;
}

const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::", ""]);

/** The address at which others reach a server that listens at `host`: of a server that listens at all, the first one that is not of this machine alone. */
function reachable(host: string): string {
  if (!WILDCARDS.has(host)) return host;
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  return (outside.find(({ family }) => family === "IPv4") ?? outside[0])?.address ?? "127.0.0.1";
}
