import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Checkout } from "./checkout.ts";

const READY = "the console is ready";

describe("the first start of a checkout", () => {
  it("installs what a server runs with, and what builds the console beside it while the server runs", async () => {
    using checkout = new Checkout();
    checkout.write("bin/vite-waits", "");
    const launch = checkout.start();
    await launch.printed("server is up");
    assert.equal(checkout.has("console/dist/index.html"), false);
    // The launcher writes it a moment after it has begun.
    while (!checkout.has("console/dist/.build.json")) await delay(20);
    assert.equal(typeof JSON.parse(checkout.read("console/dist/.build.json")).pid, "number");
    checkout.remove("bin/vite-waits");
    await launch.printed(READY);
    assert.equal(checkout.read("console/dist/index.html"), "<console>");
    assert.equal(checkout.has("console/dist/.build.json"), false);
    const [here, beside] = checkout.calls().filter(({ event }) => event === "begin");
    assert.equal(here?.folder, "");
    assert.deepEqual(here?.args.slice(0, 4), ["ci", "--omit=dev", "--workspace=server", "--workspace=python"]);
    assert.equal(beside?.folder, "dist/build/console");
    assert.deepEqual(beside?.args.slice(0, 3), ["ci", "--omit=dev", "--workspace=console"]);
    assert.equal(checkout.has("dist/build/console"), false);
    assert.equal(await launch.stop(), 0);
  });

  it("generates code with what it reads of packages, fetched at the same time", async () => {
    using checkout = new Checkout({ generated: false });
    const launch = checkout.start();
    await launch.printed("server is up");
    assert.equal(checkout.has("protos/gen/google/cloud/ces/v1beta/session_service_pb.js"), true);
    assert.equal(checkout.has("node_modules/google-proto-files"), false);
    const [first, second] = checkout.calls();
    assert.deepEqual([first?.event, second?.event], ["begin", "begin"]);
    assert.deepEqual([first?.folder, second?.folder].sort(), ["", "dist/build/generation/tarballs"]);
    assert.equal(checkout.has("dist/build/generation"), false);
    assert.equal(await launch.stop(), 0);
  });

  it("generates code with whole packages when a fetched one is not what the lock file has", async () => {
    using checkout = new Checkout({ generated: false });
    checkout.write("bin/tarballs/ms-2.1.3.tgz", "");
    const launch = checkout.start();
    await launch.printed("server is up");
    assert.match(launch.text(), /The package ms is not the one in package-lock\.json\./);
    assert.equal(checkout.has("protos/gen/google/cloud/ces/v1beta/session_service_pb.js"), true);
    assert.ok(checkout.calls().some(({ folder }) => folder === "dist/build/generation"));
    assert.equal(checkout.has("dist/build/generation"), false);
    assert.equal(await launch.stop(), 0);
  });

  it("is the only one that installs and builds", async () => {
    using checkout = new Checkout();
    const first = checkout.start();
    await first.printed(READY);
    await first.stop();
    const calls = checkout.calls().length;
    const second = checkout.start();
    await second.printed("server is up");
    assert.equal(await second.stop(), 0);
    assert.equal(checkout.calls().length, calls);
    assert.doesNotMatch(second.text(), /installing|building/);
  });

  it("is waited for by another one in the same checkout", async () => {
    using checkout = new Checkout();
    const launches = [checkout.start(), checkout.start()];
    await Promise.all(launches.map((launch) => launch.printed("server is up")));
    await Promise.any(launches.map((launch) => launch.printed(READY)));
    const here = checkout.calls().filter(({ folder, event }) => folder === "" && event === "begin");
    assert.equal(here.length, 1);
    assert.equal(checkout.read("console/dist/index.html"), "<console>");
    assert.deepEqual(await Promise.all(launches.map((launch) => launch.stop())), [0, 0]);
  });

  it("ends npm at a signal, and is made up for by the next start", async () => {
    using checkout = new Checkout();
    const first = checkout.start();
    await first.printed("installing");
    assert.equal(await first.stop(), 1);
    assert.match(first.text(), /stopped\n$/);
    assert.equal(checkout.has("dist/build/lock"), false);
    const second = checkout.start();
    await second.printed(READY);
    assert.deepEqual(
      checkout.calls().filter(({ event, folder }) => event === "end" && folder === "").length,
      1,
      "the first npm was ended",
    );
    assert.equal(await second.stop(), 0);
  });

  it("takes over from a process that was killed while it installed", async () => {
    using checkout = new Checkout();
    checkout.write("clone/dist/build/lock", "999999999");
    const launch = checkout.start();
    await launch.printed("server is up");
    assert.equal(await launch.stop(), 0);
  });

  it("says what npm said when nothing can be installed", async () => {
    using checkout = new Checkout({ generated: false });
    checkout.write("bin/npm-fails", "");
    const launch = checkout.start();
    assert.equal(await launch.exited, 1);
    assert.match(launch.text(), /could not be fetched; 'npm pack' said:\nnpm error: no such host/);
    assert.match(launch.text(), /could not be installed; 'npm ci' said:\nnpm error: no such host/);
    assert.equal(checkout.has("dist/build/generation"), false);
  });

  it("serves without a console that cannot be built, and the next one tries again", async () => {
    using checkout = new Checkout();
    checkout.write("bin/vite-fails", "");
    const first = checkout.start();
    await first.printed("'npm start' tries again");
    assert.match(first.text(), /could not be built; Vite said:\nno such module/);
    assert.deepEqual(JSON.parse(checkout.read("console/dist/.build.json")), { failed: true });
    assert.equal(await first.stop(), 0);
    checkout.remove("bin/vite-fails");
    const second = checkout.start();
    await second.printed(READY);
    assert.equal(await second.stop(), 0);
  });

  it("leaves nothing of a console whose server ended meanwhile", async () => {
    using checkout = new Checkout();
    checkout.write("bin/vite-waits", "");
    const launch = checkout.start();
    await launch.printed("server is up");
    assert.equal(await launch.stop(), 0);
    assert.equal(checkout.has("console/dist"), false);
    assert.equal(checkout.has("dist/build/console"), false);
  });
});
