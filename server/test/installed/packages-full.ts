// `npm run test:packages`: the packages as users get them, from the tarballs, without this checkout. It takes minutes and downloads.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { launchBrowser, withoutBrowser } from "../console/open-console.ts";
import { startFakeNpmRegistry } from "./fake-npm-registry.ts";
import { emptyFolder, type Installation, type InstalledServer, installPackages, packPackages } from "./installation.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const TOOL =
  "node_modules/@frontdesk/server/examples/order-desk/app/tools/look_up_order/python_function/python_code.py";
const MODULE = "node_modules/@frontdesk/widget/dist/index.js";
const TSC = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
const MEGABYTE = 1_000_000;

/** A program of a user, in TypeScript that is JavaScript too. */
const PROGRAM = `import { createFrontdeskClient } from "@frontdesk/client";
import { AppSchema } from "@frontdesk/client/ces/app";
import "@frontdesk/widget";

const client = createFrontdeskClient({ address: "ADDRESS" });
const session = "${APP}/sessions/from-client";
/** @type {{ case: "text", value: string }} */
const inputType = { case: "text", value: "Where is my order A-1001?" };
for await (const { outputs } of client.sessions.streamRunSession({ config: { session }, inputs: [{ inputType }] }))
  for (const { outputType } of outputs) if (outputType.case === "text") console.log(outputType.value);
const parent = "projects/local/locations/us";
const app = await client.wait(await client.apps.createApp({ parent, app: { displayName: "Desk" } }), AppSchema);
console.log(app.displayName);
`;

/** What its editor knows of the element; the second line is an error. */
const ELEMENT = `import "@frontdesk/widget";
document.querySelector("frontdesk-chat")?.say("Hello");
document.querySelector("frontdesk-chat")?.sing("Hello");
`;

interface Turn {
  readonly outputs: readonly { readonly text?: string }[];
}

interface Case {
  readonly what: string;
  readonly folder: string;
  readonly options: Parameters<typeof installPackages>[2];
  /** With DuckDB, resvg and Deno. */
  readonly complete: boolean;
  /** Most megabytes of node_modules. */
  readonly limit: number;
}

const CASES: readonly Case[] = [
  { what: "in an empty folder", folder: "desk", options: {}, complete: true, limit: 350 },
  {
    what: "without optional packages, below a path with a space",
    folder: "front desk",
    options: { flags: ["--omit=optional"] },
    complete: false,
    limit: 120,
  },
  {
    what: "with the oldest Node that they promise",
    folder: "old-node",
    options: { node: "22.19.0" },
    complete: true,
    limit: 350,
  },
];

let folder: string;
let tarballs: readonly string[];
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "frontdesk-packed-"));
  tarballs = await packPackages(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const { what, folder: name, options, complete, limit } of CASES)
  describe(`the packages, installed ${what}`, () => {
    let installed: Installation;
    let server: InstalledServer;
    before(async () => {
      installed = await installPackages(name, tarballs, options);
      server = await installed.start();
    });
    after(() => installed[Symbol.dispose]());

    /** Runs a command on the server, which must succeed; what it prints. */
    async function frontdesk(...args: readonly string[]): Promise<string> {
      const { code, stdout, stderr } = await installed.frontdesk([...args, "--server", server.address]);
      assert.equal(code, 0, stderr);
      return stdout;
    }

    async function post<T>(path: string, body: object): Promise<T> {
      const headers = { "content-type": "application/json" };
      const response = await fetch(server.address + path, { method: "POST", headers, body: JSON.stringify(body) });
      return (await response.json()) as T;
    }

    it(`takes at most ${limit} MB`, async () => {
      const size = await installed.size();
      assert.ok(size <= limit * MEGABYTE, `${Math.round(size / MEGABYTE)} MB`);
    });

    it("answers over REST", async () => {
      const session = `${APP}/sessions/from-rest`;
      const { outputs } = await post<Turn>(`/v1beta/${session}:runSession`, {
        config: { session },
        inputs: [{ text: "Where is my order A-1001?" }],
      });
      assert.match(outputs[0]?.text ?? "", /A-1001/);
    });

    it("answers in the terminal", async () => {
      assert.match(await frontdesk("chat", "--say", "Where is my order A-1001?"), /A-1001/);
    });

    it("answers over MCP", async () => {
      const { result } = await post<{ readonly result: object }>("/mcp", {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "list_apps", arguments: { parent: "projects/local/locations/us" } },
      });
      assert.match(JSON.stringify(result), /order-desk/);
    });

    it("answers a question to data, or says which package it takes", async () => {
      const args = ["ask", "revenue by category in the last year", "--json", "--server", server.address];
      const { code, stdout, stderr } = await installed.frontdesk(args);
      if (complete) {
        assert.equal(code, 0, stderr);
        assert.ok(JSON.parse(stdout).rows.length > 1);
        return;
      }
      assert.equal(code, 1);
      assert.match(stdout + stderr, /@duckdb\/node-api/);
    });

    it("runs Python", async () => {
      const { code, stdout, stderr } = await installed.frontdesk(["python", TOOL, "--args", '{"order_id":"A-1001"}']);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /A-1001/);
      const files = readdirSync(join(installed.folder, ".frontdesk"), { recursive: true, encoding: "utf8" });
      const built = files.filter((name) => name.endsWith("image.bin"));
      assert.deepEqual(built, [], "an image was built, although one came with the package");
    });

    it("serves the console and the widget", async () => {
      const page = await fetch(`${server.address}/`).then((response) => response.text());
      assert.match(page, /<title>/);
      const widget = await fetch(`${server.address}/widget.js`).then((response) => response.text());
      assert.match(widget, /frontdesk-chat/);
    });

    it("serves the documentation", async () => {
      for (const path of ["/docs/", "/docs/first-app", "/docs/spec/turn"]) {
        const response = await fetch(server.address + path);
        assert.equal(response.status, 200);
        assert.match(await response.text(), /<h1/);
      }
    });

    it("passes on the licences of what the server, the console and the documentation contain", () => {
      const own = join(installed.folder, "node_modules", "@frontdesk", "server");
      const licences = readFileSync(join(own, "THIRD-PARTY.txt"), "utf8");
      const { components } = JSON.parse(readFileSync(join(own, "sbom.cdx.json"), "utf8"));
      for (const name of ["zod", "react", "vue", "vitepress", "minisearch"]) {
        assert.match(licences, new RegExp(`^${name} \\d.*\\nLicence: (?:MIT|ISC)$`, "m"));
        assert.ok(
          components.some((component: { readonly name: string }) => component.name === name),
          name,
        );
      }
    });

    it("runs a program with the client", async () => {
      writeFileSync(join(installed.folder, "program.mjs"), PROGRAM.replace("ADDRESS", server.address));
      const { code, stdout, stderr } = await installed.node(["program.mjs"]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /A-1001.*\nDesk\n$/s);
    });

    it("has types of the client and the widget", async () => {
      writeFileSync(join(installed.folder, "element.ts"), ELEMENT);
      const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2024,dom"];
      const js = ["--allowJs", "--checkJs", "--skipLibCheck", "false"];
      const { stdout } = await installed.node([TSC, ...options, ...js, "program.mjs", "element.ts"]);
      assert.match(stdout.trim(), /^element\.ts\(3,43\): error TS2\d+: [^\n]*'sing'[^\n]*$/);
    });

    it("shows a chat by the widget's module", { skip: withoutBrowser }, async () => {
      const deployments = `/v1beta/${APP}/deployments?deploymentId=shop-site`;
      const channelProfile = { channelType: "WEB_UI" };
      const { name } = await post<{ readonly name: string }>(deployments, { displayName: "Shop site", channelProfile });
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage({ bypassCSP: true });
        await page.goto(`${server.address}/widget-demo.html`);
        await page.addScriptTag({ type: "module", path: join(installed.folder, MODULE) });
        const element = `<frontdesk-chat deployment="${name}" server="${server.address}" inline></frontdesk-chat>`;
        await page.evaluate(`document.body.innerHTML = ${JSON.stringify(element)}`);
        await page.getByLabel("Message").fill("Where is my order A-1001?");
        // Which cannot be pressed before the greeting is there.
        await page.getByRole("button", { name: "Send" }).click();
        await page.getByText("A-1001", { exact: false }).nth(1).waitFor();
      } finally {
        await browser.close();
      }
    });

    it("stops at an interrupt", async () => {
      assert.equal(await server.stop(), 0);
    });
  });

describe("npx in an empty folder", () => {
  it("starts the server from the registry, and from then on from its cache", async (context) => {
    await using registry = await startFakeNpmRegistry(tarballs);
    using empty = await emptyFolder({ scope: "@frontdesk", registry: registry.address });
    for (const cache of ["empty", "full"]) {
      const begun = performance.now();
      const server = await empty.npx("@frontdesk/server");
      const page = await fetch(`${server.address}/v1beta/${APP}`);
      assert.equal(page.status, 200);
      context.diagnostic(`with ${cache} caches: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
      await server.stop();
      await assert.rejects(fetch(server.address));
    }
  });
});
