import { setMaxListeners } from "node:events";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { localAddress, writeOperatorFile } from "#base";
import { linkUrl } from "#protocols";
import { unavailable } from "#status";
import { banner } from "./banner.ts";
import { createExclusiveRunner } from "./build/exclusive-runner.ts";
import { createHandlers } from "./build/handlers.ts";
import type { AppOverrides } from "./build/platform.ts";
import { type App, buildApp } from "./build-app.ts";
import { isLoopback } from "./config/auth-section.ts";
import { dataPlace } from "./config/database-section.ts";
import type { Config } from "./config.ts";
import { prepareDataExample } from "./data-example.ts";
import type { Phase } from "./health.ts";
import { HOME } from "./home-folder.ts";
import { listen } from "./listen/listen.ts";
import { listenError } from "./listen/listen-error.ts";
import { startMetadataServer } from "./metadata-server.ts";
import { startRepeatingJobs } from "./repeating-jobs.ts";
import { EXAMPLE_APP, importShippedExample } from "./shipped-example.ts";
import { followTls, readTls } from "./tls-identity.ts";
import { untilDone } from "./until-done.ts";

/** A running server. */
export interface Server {
  /** `http://127.0.0.1:8080`, with the port that was bound. */
  readonly address: string;
  readonly app: App;
  /** `127.0.0.1:8180`: where the metadata server is, if one was asked for. */
  readonly metadataAddress?: string;
  /** The text that `start` prints for people. `withLink`: and a link that signs in who opens it first, where people sign in by links. */
  banner(withLink: boolean): Promise<string>;
  /** Says in the log that the server is up, whatever its level. */
  logUp(): void;
  /** Reads anew at once what is also read while the server runs: the files of TLS. */
  reread(): void;
  /** Is not ready from now on. After `config.drainDelayMs` it takes no more calls, waits for turns and asynchronous tool calls in flight (at most `config.drainMs`), and closes everything. */
  stop(): Promise<void>;
}

/** Opens the data folder, creates all parts of the server, and listens. */
export async function startServer(config: Config, overrides: Partial<AppOverrides> = {}): Promise<Server> {
  await requirePort(config);
  const tlsFiles = config.tls && readTls(config.tls);
  const app = await buildApp(config, overrides);
  const { logger, clock } = app;
  let phase: Phase = "starting";
  const stopping = new AbortController();
  // Each request that is open listens.
  setMaxListeners(0, stopping.signal);
  const listener = await listen({
    host: config.host,
    port: config.port,
    allowedOrigins: config.allowedOrigins,
    logger,
    ...(tlsFiles && { tls: tlsFiles }),
    handlers: createHandlers(config, app, HOME, { phase: () => phase, stopping: stopping.signal }),
  }).catch(async (error: unknown) => {
    // Nobody gets a `Server` to stop, so what is open is closed here.
    await app.close(0);
    throw error;
  });
  const address = `${config.tls ? "https" : "http"}://${urlHost(listener.address)}:${listener.port}`;
  app.authentication.addresses.add(address);
  app.ownPorts.add(listener.port);
  const removeOperatorFile = writeOperatorFile(config.dataDir, {
    ...{ pid: process.pid, address: localAddress(listener.address, listener.port) },
    token: app.authentication.operatorToken.text,
  });
  await app.turnPort?.open();
  const { metadata: settings } = config.auth;
  const metadata = settings && (await startMetadataServer({ settings, ...app.authentication, clock, logger }));
  if (metadata) app.ownPorts.add(metadata.port);
  const tls = config.tls && tlsFiles && followTls(config.tls, tlsFiles, listener.replaceTls, logger);
  if (tls) app.metrics.followCertificate(() => tls.current.endTime);
  const jobs = await startRepeatingJobs(app, tls);
  const example = config.example
    ? untilDone({ name: "adding the example", run: () => addExample(app) }, logger)
    : undefined;
  const stop = async (): Promise<void> => {
    phase = "draining";
    if (config.drainDelayMs > 0) await delay(config.drainDelayMs);
    const until = performance.now() + config.drainMs;
    app.live.drain();
    app.turnPort?.drain();
    await Promise.all([
      listener.close(config.drainMs, () => stopping.abort(givenUp())),
      metadata?.close(),
      jobs.stop(),
      example?.stop(),
    ]);
    removeOperatorFile();
    await app.close(Math.max(0, until - performance.now()));
  };
  await example?.tried;
  phase = "serving";
  const started = { address, app, ...announcements(config, app), reread: () => tls?.look(), stop };
  return metadata ? { ...started, metadataAddress: metadata.address } : started;
}

/** The answer to what did not end in the time that a stop has (TURN-60). */
function givenUp(): Error {
  return unavailable("The server stops, and the call did not end in the time that it had for that. Send it again.", {
    reason: "SERVER_STOPPING",
  });
}

/** Throws the system's error of a port that cannot be opened, before anything is made. */
async function requirePort({ host, port }: Config): Promise<void> {
  const error = port === 0 ? undefined : await listenError(host, port);
  if (error) throw error;
}

/** What a server says when it is up. */
function announcements(config: Config, app: App): Pick<Server, "banner" | "logUp"> {
  const { mode, console } = config.auth;
  const factsNow = () => ({
    address: app.authentication.addresses.origin,
    data: dataPlace(config),
    model: app.models.status().defaultModel,
  });
  return {
    async banner(withLink) {
      const warnings = notesOn(config);
      // The server is up without its database, too.
      const orNothing = () => undefined;
      const example = await app.storage.resources.get(EXAMPLE_APP).catch(orNothing);
      const byLink = mode === "required" && !console;
      const link = byLink && withLink ? await linkUrl(app.authentication, "").catch(orNothing) : undefined;
      if (byLink && !link) warnings.push("frontdesk auth link makes a link that signs in to the console");
      return banner({ ...factsNow(), auth: mode, link, app: example && EXAMPLE_APP, warnings });
    },
    logUp() {
      const facts = factsNow();
      const log = app.logger.child({}, { level: "info" });
      log.info({ ...facts, callers: mode === "off" ? "not asked" : "known" }, `Frontdesk is up at ${facts.address}`);
      for (const note of notesOn(config)) app.logger.warn(note);
    },
  };
}

/** Adds the example app, and the data agent over the sample shop, unless that was done before or another server does it. */
async function addExample(app: App): Promise<void> {
  await createExclusiveRunner(app.storage)("example", async () => {
    await importExampleInto(app);
    await prepareDataExample(join(HOME, "examples", "shop", "agent.yaml"), app);
  });
}

/** What the operator probably does not expect. */
function notesOn(config: Config): string[] {
  return [...config.ignored, ...noteOnOrigin(config)];
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

function urlHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
