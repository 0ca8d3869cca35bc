import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type CommandLine, openCommandLine } from "../command-line.ts";
import { type AuthServer, startAuthServer } from "../identity/auth-server.ts";

describe("contexts and connections", () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-contexts-"));
  let server: AuthServer;
  let commands: CommandLine;
  let token: string;
  before(async () => {
    server = await startAuthServer({ example: true });
    ({ text: token } = await server.createApiKey());
    commands = openCommandLine();
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** A person without variables of the test, whose settings are in `home`. */
  const personIn =
    (home: string, variables: NodeJS.ProcessEnv = {}) =>
    (...args: readonly string[]) =>
      commands.run(args, {
        cwd: folder,
        env: { PATH: process.env.PATH, XDG_CONFIG_HOME: join(folder, home), ...variables },
      });

  it("calls a server at an address with a token, over the wire of a Frontdesk server and over that of the hosted service", async () => {
    const run = personIn("flags");
    const names = ["apps", "list", "--output", "name", "--token", token];
    for (const flag of ["--server", "--endpoint"]) {
      const { code, stdout, stderr } = await run(...names, flag, server.address);
      assert.deepEqual([code, stderr, /apps\/order-desk\n/.test(stdout)], [0, "", true], flag);
    }
    const talk = ["chat", "order-desk", "--say", "Where is my order A-1001?", "--token", token];
    assert.match((await run(...talk, "--endpoint", server.address)).stdout, /A-1001/);
    const { code, stderr } = await run("apps", "list", "--endpoint", server.address);
    assert.deepEqual([code, /Pass --token with an access token/.test(stderr)], [1, true], stderr);
    const file = join(folder, "hosted.yaml");
    writeFileSync(file, "displayName: Over gRPC");
    const made = await run(
      "apps",
      "create",
      "over-grpc",
      "--file",
      file,
      "--json",
      "--token",
      token,
      "--endpoint",
      server.address,
    );
    assert.equal(JSON.parse(made.stdout).displayName, "Over gRPC", made.stderr);
  });

  it("keeps address, credential, project and location under a name, in a file for its owner alone", async () => {
    const run = personIn("kept");
    const key = join(folder, "ci.json");
    writeFileSync(key, (await server.createKey("ci")).text);
    assert.equal((await run("context", "set", "office", "--server", server.address, "--key", "ci.json")).code, 0);
    assert.equal((await run("context", "set", "hosted", "--endpoint", server.address, "--token", token)).code, 0);
    assert.equal(statSync(join(folder, "kept", "frontdesk", "contexts.json")).mode & 0o777, 0o600);
    assert.match((await run("apps", "list")).stdout, /order-desk/);
    assert.match((await run("apps", "list", "--context", "hosted")).stdout, /order-desk/);
    await run("context", "set", "retail", "--server", server.address, "--key", "ci.json", "--project", "retail");
    await run("context", "use", "retail");
    const list = await run("context", "list", "--json");
    assert.ok(!list.stdout.includes(token));
    assert.deepEqual(
      JSON.parse(list.stdout).map(({ name, current }: Record<string, unknown>) => [name, current]),
      [
        ["office", false],
        ["hosted", false],
        ["retail", true],
      ],
    );
    const { stderr } = await run("apps", "get", "order-desk");
    assert.match(stderr, /projects\/retail\/locations\/us\/apps\/order-desk/);
    assert.match((await run("apps", "get", "order-desk", "--project", "local")).stdout, /^name: projects\/local/m);
  });

  it("sends the credential of a context to no other address", async () => {
    const run = personIn("apart");
    const asked: IncomingHttpHeaders[] = [];
    const other = createServer((request, response) => {
      asked.push(request.headers);
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      await run("context", "set", "office", "--server", server.address, "--token", token);
      await run("apps", "list", "--server", address);
      await personIn("apart", { FRONTDESK_SERVER: address })("apps", "list");
      await run("context", "set", "office", "--server", address);
      await run("apps", "list");
    } finally {
      other.closeAllConnections();
      other.close();
    }
    assert.deepEqual(
      asked.map(({ authorization }) => authorization),
      [undefined, undefined, undefined],
    );
  });

  it("takes a named context before the environment, and the environment before the current context", async () => {
    const nowhere = { FRONTDESK_SERVER: "http://127.0.0.1:9" };
    const run = personIn("order", nowhere);
    await run("context", "set", "office", "--server", server.address, "--token", token);
    assert.match((await run("apps", "list")).stderr, /no server responds at http:\/\/127\.0\.0\.1:9/);
    assert.match((await run("apps", "list", "--context", "office")).stdout, /order-desk/);
  });

  it("says that what answers at an address is no API", async () => {
    const run = personIn("elsewhere");
    const page = createServer((request, response) => {
      const type = request.url?.startsWith("/json") ? "application/json" : "text/html";
      response.writeHead(request.url?.startsWith("/found") ? 200 : 404, { "content-type": type }).end("{}");
    });
    await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    try {
      for (const [path, reason] of [
        ["/console", " \\(HTTP 404\\)"],
        ["/json", ""],
        ["/found", " \\(.+\\)"],
      ]) {
        const { code, stderr } = await run("apps", "list", "--server", `${address}${path}`);
        const advice = `Its address has a path; perhaps the server is at ${address}\\.`;
        assert.equal(code, 1);
        assert.match(
          stderr,
          new RegExp(`^frontdesk: no Frontdesk API answers at ${address}${path}${reason}\\. ${advice}\n$`),
        );
      }
    } finally {
      page.closeAllConnections();
      page.close();
    }
    const { stderr } = await run("apps", "list", "--server", `${server.address}/console`);
    assert.match(stderr, /^frontdesk: no Frontdesk API answers at .*\/console/);
  });

  it("says where no TLS is spoken", async () => {
    const run = personIn("plain");
    const secure = server.address.replace("http:", "https:");
    for (const flag of ["--server", "--endpoint"]) {
      const { code, stderr } = await run("apps", "list", flag, secure);
      const told = `frontdesk: no TLS is spoken at ${secure}. Perhaps the server is at ${server.address}.\n`;
      assert.deepEqual([code, stderr], [1, told]);
    }
  });

  it("says that the file of the contexts cannot be read, and not to delete it, where the system refuses it", async () => {
    const run = personIn("refused");
    const file = join(folder, "refused", "frontdesk", "contexts.json");
    mkdirSync(file, { recursive: true });
    const { code, stderr } = await run("apps", "list");
    assert.deepEqual([code, stderr], [1, `frontdesk: ${file} cannot be read: illegal operation on a directory.\n`]);
  });

  it("says what is wrong, and what was probably meant", async () => {
    const run = personIn("wrong");
    await run("context", "set", "office", "--server", server.address);
    for (const [args, message] of [
      [["aps", "list"], /'aps' is not a command\. Did you mean frontdesk apps\?/],
      [["--token", "x", "apps", "list"], /^frontdesk: flags come after the command: frontdesk <command> --token …\n$/],
      [["apps", "lst"], /apps cannot 'lst': use .*\. Did you mean list\?/],
      [["apps", "list", "--outptu", "json"], /Unknown option '--outptu'\. Did you mean --output\?/],
      [["apps", "list", "-o", "json"], /Unknown option '-o'\. Did you mean --output\?/],
      [["apps", "list", "--format=json"], /Unknown option '--format'\. Did you mean --output\?/],
      [["apps", "create", "x", "-f", "x.json"], /Unknown option '-f'\. Did you mean --file\?/],
      [["apps", "delete", "x", "-z"], /Unknown option '-z'\. Run frontdesk help apps for its flags/],
      [["apps", "list", "--output", "jsn"], /--output is 'jsn'; use table, yaml, json, name\. Did you mean json\?/],
      [["apps", "list", "--json", "--output", "yaml"], /--json and --output yaml exclude each other/],
      [["apps", "list", "--server", server.address, "--endpoint", server.address], /exclude each other/],
      [["apps", "list", "--endpoint", "ces.example.com"], /--endpoint is 'ces\.example\.com', which is not an address/],
      [["apps", "list", "--context", "offic"], /no context 'offic'; there are office\. Did you mean office\?/],
      [["context", "list", "office"], /context list takes no name\. To see one: context show office\./],
      [["auth", "list-keys", "ci"], /auth list-keys takes no name; leave 'ci' out\./],
      [["operations", "list", "x"], /operations list takes no name; leave 'x' out\./],
      [["auth", "list"], /auth cannot 'list': use .*\. Did you mean list-keys\?/],
      [["context", "get"], /context cannot 'get': use .*\. Did you mean show\?/],
      [["context", "ls"], /Did you mean list\?/],
      [["apps", "rm"], /Did you mean delete\?/],
      [["apps", "show"], /Did you mean get\?/],
      [["context", "sett"], /context cannot 'sett': use .*\. Did you mean set\?/],
      [["chat", "order-desk", "hi"], /'hi' is one too many\. To say one text, use --say\./],
      [
        ["chat", "order-desk", "--say", "a", "--say", "b"],
        /--say is there twice, with 'a' and 'b'; it takes one value\./,
      ],
      [["python", "tool.py", "amount=5"], /'amount=5' is one too many\. Arguments are JSON, in --args\./],
      [["apps", "list", "--output", "xml"], /use table, yaml, json, name\.\n$/],
      [["trace", "order-desk"], /is not a session\. .*; frontdesk conversations list --app \{app id\} shows those/],
      [["context", "set", "a/b"], /'a\/b' cannot be the name of a context/],
      [["context", "use"], /name the context/],
      [["context", "set", "x", "--server", "a.b"], /--server is 'a\.b', which is not an address/],
    ] as const) {
      const { code, stderr } = await run(...args);
      assert.equal(code, 1, args.join(" "));
      assert.match(stderr, message);
    }
  });
});
