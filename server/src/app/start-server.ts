import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { localAddress, writeOperatorFile } from "#base";
import { linkUrl } from "#protocols";
import { isLoopback } from "./auth-section.ts";
import { banner } from "./banner.ts";
import { createExclusiveRunner } from "./build/exclusive-runner.ts";
import { createHandlers } from "./build/handlers.ts";
import type { AppOverrides } from "./build/platform.ts";
import { type App, buildApp } from "./build-app.ts";
import type { Config } from "./config.ts";
import { prepareDataExample } from "./data-example.ts";
import { dataPlace } from "./database-section.ts";
import type { Phase } from "./health.ts";
import { HOME } from "./home-folder.ts";
import { listen } from "./listen.ts";
import { startMetadataServer } from "./metadata-server.ts";
import { repeat } from "./repeat.ts";
import { EXAMPLE_APP, importShippedExample } from "./shipped-example.ts";

/** Pause between two runs of the job that deletes conversations after their retention window. */
const RETENTION_EVERY_MS = 600_000;

/** Pause between two looks for evaluation runs that are due. */
const SCHEDULES_EVERY_MS = 30_000;

/** Pause between two looks for operations of servers that have ended. */
const SHARING_EVERY_MS = 800;
/** Milliseconds between two messages about what was used of quotas. */
const QUOTAS_EVERY_MS = 250;

/** A running server. */
export interface Server {
  /** `http://127.0.0.1:8080`, with the port that was bound. */
  readonly address: string;
  readonly app: App;
  /** `127.0.0.1:8180`: where the metadata server is, if one was asked for. */
  readonly metadataAddress?: string;
  /** The text that `start` prints. */
  readonly banner: string;
  /** Stops accepting calls, waits for turns in flight (at most `config.drainMs`), and closes everything. */
  stop(): Promise<void>;
}

/** Opens the data folder, creates all parts of the server, and listens. */
export async function startServer(config: Config, overrides: Partial<AppOverrides> = {}): Promise<Server> {
  const app = await buildApp(config, overrides);
  const { logger, clock } = app;
  let phase: Phase = "starting";
  const listener = await listen({
    host: config.host,
    port: config.port,
    allowedOrigins: config.allowedOrigins,
    logger,
    ...(config.tls && { tls: readTls(config.tls) }),
    handlers: createHandlers(config, app, HOME, () => phase),
  }).catch(async (error: unknown) => {
    // Nobody gets a `Server` to stop, so what is open is closed here.
    await app.close(0);
    throw error;
  });
  const address = `${config.tls ? "https" : "http"}://${urlHost(listener.address)}:${listener.port}`;
  app.authentication.addresses.add(address);
  const removeOperatorFile = writeOperatorFile(config.dataDir, {
    ...{ pid: process.pid, address: localAddress(listener.address, listener.port) },
    token: app.authentication.operatorToken.text,
  });
  const { metadata: settings } = config.auth;
  const metadata = settings && (await startMetadataServer({ settings, ...app.authentication, clock, logger }));
  const retention = repeat({ name: "retention", everyMs: RETENTION_EVERY_MS, run: app.keep }, logger);
  const schedules = repeat(
    { name: "scheduled evaluation runs", everyMs: SCHEDULES_EVERY_MS, run: app.schedules.pass },
    logger,
  );
  const refreshes = repeat(
    { name: "scheduled refreshes of pinned questions", everyMs: SCHEDULES_EVERY_MS, run: app.refreshes.pass },
    logger,
  );
  const sharing = app.storage.replica
    ? repeat({ name: "taking over operations", everyMs: SHARING_EVERY_MS, run: app.shareOperations }, logger)
    : undefined;
  const quotas = app.shareQuotas
    ? repeat({ name: "sharing quotas", everyMs: QUOTAS_EVERY_MS, run: app.shareQuotas }, logger)
    : undefined;
  const stop = async (): Promise<void> => {
    phase = "draining";
    const until = clock.now() + config.drainMs;
    app.live.drain();
    await Promise.all([listener.close(config.drainMs), metadata?.close(), retention.stop(), schedules.stop()]);
    await Promise.all([refreshes.stop(), sharing?.stop(), quotas?.stop()]);
    removeOperatorFile();
    await app.close(Math.max(0, until - clock.now()));
  };
  if (config.example)
    await createExclusiveRunner(app.storage)("example", async () => {
      await importExampleInto(app);
      await prepareDataExample(join(HOME, "examples", "shop", "agent.yaml"), app);
    });
  phase = "serving";
  const model = app.models.status().defaultModel;
  const shown = (await app.storage.resources.get(EXAMPLE_APP)) ? EXAMPLE_APP : undefined;
  const { mode, console } = config.auth;
  const link = mode === "required" && !console ? await linkUrl(app.authentication, "") : undefined;
  const { origin } = app.authentication.addresses;
  const facts = { address: origin, data: dataPlace(config), model, auth: mode, link, app: shown };
  const started = { address, app, banner: banner({ ...facts, warnings: noteOnOrigin(config) }), stop };
  return metadata ? { ...started, metadataAddress: metadata.address } : started;
}

/** A server on the network knows its own name only when somebody tells it, and keys and tokens are made for that name. */
function noteOnOrigin({ auth, host }: Config): readonly string[] {
  if (auth.mode === "off" || auth.origin !== undefined || isLoopback(host)) return [];
  return ["clients that call by another name need --origin, e.g. --origin https://desk.example.com"];
}

/** Imports the example app into a new data folder. */
export function importExampleInto(app: App): Promise<void> {
  return importShippedExample(join(HOME, "examples", "order-desk", "app"), app);
}

function readTls({ cert, key, clientCa }: NonNullable<Config["tls"]>) {
  const identity = { cert: readFileSync(cert), key: readFileSync(key) };
  return clientCa === undefined ? identity : { ...identity, clientCa: readFileSync(clientCa) };
}

function urlHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
