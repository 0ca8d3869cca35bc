import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { parse } from "yaml";
import { readConfig } from "#app";
import { freePort, startTestServer } from "#testing";

const DEPLOY = resolve(import.meta.dirname, "../../../deploy");
const read = (name: string): string => readFileSync(join(DEPLOY, name), "utf8");

/** Why a program cannot check its file here; false where it can. */
function without(program: string, debianPackage: string) {
  const known = spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  return { skip: known ? false : `no ${program} on this machine (Debian package: ${debianPackage})` };
}

/** Runs a program that must accept what it is given, without a word of warning. */
function accepts(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  assert.doesNotMatch(stdout + stderr, /warning/i);
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-deploy-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Checks of /readyz, one a second, after which the proxy sends nothing more. */
const CHECKS_UNTIL_NOTICED = Number(/inter 1s fall (\d)/.exec(read("haproxy.cfg"))?.[1]);

/** A value of a compose file as somebody's environment makes it. */
function filledIn(text: string): string {
  const key = Buffer.alloc(32, 1).toString("base64");
  return text.replaceAll(/\$\{(\w+):[^}]*\}/g, (_, name) => (name === "FRONTDESK_SEALING_KEY" ? key : "chosen"));
}

describe("the files in deploy/", () => {
  it("have alerts that Prometheus loads", without("promtool", "prometheus"), () => {
    accepts("promtool", ["check", "rules", join(DEPLOY, "alerts.yaml")]);
  });

  it("have alerts that fire when their cause is there, and only then", without("promtool", "prometheus"), () => {
    accepts("promtool", ["test", "rules", join(import.meta.dirname, "alerts.yaml")]);
  });

  it("have no alert that was never seen to fire", () => {
    const { groups } = parse(read("alerts.yaml")) as { groups: { rules: { alert: string }[] }[] };
    const tests = readFileSync(join(import.meta.dirname, "alerts.yaml"), "utf8");
    const seen = new Set(
      [...tests.matchAll(/ALERTS\{alertname="(\w+)", alertstate="firing", /g)].map(([, name]) => name),
    );
    const unseen = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).filter((name) => !seen.has(name));
    assert.deepEqual(unseen, []);
  });

  it("have a proxy's configuration that HAProxy loads", without("haproxy", "haproxy"), () => {
    accepts("haproxy", ["-c", "-f", join(DEPLOY, "haproxy.cfg")]);
  });

  it(
    "have a proxy that passes on gRPC streams in both directions, WebSockets and REST",
    without("haproxy", "haproxy"),
    async (t) => {
      await using server = await startTestServer({ example: true });
      const port = await freePort();
      const file = join(temporaryFolder(t), "haproxy.cfg");
      const config = read("haproxy.cfg")
        .replace("bind :8080", `bind 127.0.0.1:${port}`)
        .replaceAll(/\b(one|two):8080\b/g, new URL(server.address).host)
        .replace("maxconn 20000", "maxconn 200");
      writeFileSync(file, config);
      const proxy = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
      t.after(() => proxy.kill());
      const address = `http://127.0.0.1:${port}`;
      while (
        !(await fetch(`${address}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        await delay(50);
      const session = "projects/local/locations/us/apps/order-desk/sessions/through-a-proxy";
      const client = createClient(SessionService, createGrpcTransport({ baseUrl: address }));
      const ended = Promise.withResolvers<void>();
      const messages = async function* () {
        yield { messageType: { case: "config" as const, value: { session } } };
        const inputType = { case: "text" as const, value: "hello" };
        yield { messageType: { case: "realtimeInput" as const, value: { inputType } } };
        await ended.promise;
      };
      for await (const { messageType } of client.bidiRunSession(messages()))
        if (messageType.case === "sessionOutput" && messageType.value.turnCompleted) ended.resolve();
      const socket = new WebSocket(
        `ws://127.0.0.1:${port}/ws/google.cloud.ces.v1.SessionService/BidiRunSession/locations/us`,
      );
      await once(socket, "open");
      socket.close();
    },
  );

  it("have a unit that systemd loads", without("systemd-analyze", "systemd"), (t) => {
    const folder = temporaryFolder(t);
    const program = join(folder, "frontdesk");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o755);
    const unit = read("systemd/frontdesk.service");
    assert.match(unit, /^ExecStart=\/opt\/frontdesk\/node_modules\/\.bin\/frontdesk start$/m);
    writeFileSync(join(folder, "frontdesk.service"), unit.replace(/^(ExecStart=)\S+/m, `$1${program}`));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", join(folder, "frontdesk.service")], {
      encoding: "utf8",
    });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  });

  it("name in alerts and in the dashboard only metrics that a server has", async () => {
    await using server = await startTestServer();
    const page = await fetch(`${server.address}/metrics`).then((response) => response.text());
    const known = new Set([...page.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name));
    const named = [...(read("alerts.yaml") + read("grafana.json")).matchAll(/\b(frontdesk|process|nodejs)_\w+/g)]
      .map(([name]) => name.replace(/_(bucket|sum|count)$/, ""))
      .filter((name) => !known.has(name));
    assert.deepEqual(named, []);
  });

  it("name only variables that a server reads, with values that it takes, where the image and the proxy expect them", () => {
    const image = read("Containerfile");
    const ofImage = Object.fromEntries(
      [...image.matchAll(/^(?:ENV| {3}) (FRONTDESK_\w+)=(\S+)/gm)].map(([, name, value]) => [name, value]),
    );
    const { services, volumes } = parse(read("compose.yaml"), { merge: true });
    for (const name of ["one", "two"]) {
      const given: [string, unknown][] = Object.entries(services[name].environment);
      const config = readConfig([], {
        ...ofImage,
        ...Object.fromEntries(given.map(([variable, value]) => [variable, filledIn(String(value))])),
      });
      assert.deepEqual(config.ignored, []);
      const [[volume, folder] = []] = services[name].volumes.map((mount: string) => mount.split(":"));
      assert.ok(Object.hasOwn(volumes, volume));
      assert.deepEqual([config.dataDir, config.host], [folder, "0.0.0.0"]);
      assert.deepEqual([image.match(/^EXPOSE (\d+)$/m)?.[1], String(config.port)], ["8080", "8080"]);
      assert.equal(config.database?.replica, name);
    }
    const { POSTGRES_USER, POSTGRES_DB } = services.database.environment;
    const address = new URL(services.one.environment.FRONTDESK_DATABASE_URL);
    assert.deepEqual(
      [address.username, address.hostname, address.pathname.slice(1)],
      [POSTGRES_USER, Object.keys(services).find((name) => services[name].image?.startsWith("postgres:")), POSTGRES_DB],
    );
  });

  it("have a compose file whose servers have what they need, and a root that nothing writes to", () => {
    const { services } = parse(read("compose.yaml"), { merge: true });
    for (const name of ["one", "two"]) {
      const { environment, volumes, read_only, stop_grace_period } = services[name];
      const { drainDelayMs, drainMs } = readConfig([], {
        FRONTDESK_DRAIN_DELAY_SECONDS: String(environment.FRONTDESK_DRAIN_DELAY_SECONDS),
      });
      assert.ok(
        drainDelayMs >= 1_000 * CHECKS_UNTIL_NOTICED &&
          drainDelayMs + drainMs < 1_000 * parseInt(stop_grace_period, 10),
      );
      assert.equal(read_only, true);
      assert.deepEqual(volumes, [`${name}:/var/lib/frontdesk`]);
      for (const variable of ["FRONTDESK_DATABASE_URL", "FRONTDESK_SEALING_KEY", "FRONTDESK_REPLICA"])
        assert.ok(environment[variable], `${name}: ${variable}`);
      // A password of any characters: in an address some would have to be encoded.
      assert.doesNotMatch(environment.FRONTDESK_DATABASE_URL, /\$/);
      assert.equal(environment.FRONTDESK_DATABASE_PASSWORD, services.database.environment.POSTGRES_PASSWORD);
    }
    const proxied = [...read("haproxy.cfg").matchAll(/^ {2}server \w+ (\w+):8080$/gm)].map(([, host]) => host);
    assert.deepEqual(proxied, ["one", "two"]);
    const forStreams = [...read("haproxy.cfg").matchAll(/^ {2}server (\w+) (\w+):8080 track servers\/\1$/gm)];
    assert.deepEqual(
      forStreams.map(([, , host]) => host),
      ["one", "two"],
    );
  });
});
