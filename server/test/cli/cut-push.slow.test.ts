import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startCommand } from "./running-command.ts";
import { serveCommands } from "./served-commands.ts";

const BOOKING = join(import.meta.dirname, "..", "..", "..", "examples", "templates", "booking");

const DELETES = /DeleteEvaluation$/;
const IMPORTS = /ImportApp$/;

describe("a push whose server goes away in the middle", () => {
  const { root, address, run } = serveCommands();
  /** Calls of which the server carries out the first, and no answer reaches the client, who finds no server any more. */
  let cut: RegExp | undefined;
  let isGone = false;
  let isRefusing = false;
  /** Told of each import, which is then left without an answer. */
  let onImport: (() => void) | undefined;
  const proxy = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (isRefusing && IMPORTS.test(incoming.url ?? "")) {
      outgoing.writeHead(403, { "content-type": "application/json" });
      return outgoing.end(JSON.stringify({ code: "permission_denied", message: "Not today." }));
    }
    if (onImport && IMPORTS.test(incoming.url ?? "")) return onImport();
    const isLast = cut?.test(incoming.url ?? "") ?? false;
    if (isLast && isGone) return outgoing.destroy();
    isGone ||= isLast;
    const { method, headers, url } = incoming;
    const forwarded = request(new URL(url ?? "", address()), { method, headers }, (answer) => {
      if (isLast) return outgoing.destroy();
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      return answer.pipe(outgoing);
    });
    return incoming.pipe(forwarded);
  });
  before(async () => {
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
  });
  after(() => proxy.closeAllConnections());
  after(() => proxy.close());

  const behindProxy = () => ({ FRONTDESK_SERVER: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
  const push = async (folder: string, code: number) => {
    const ran = await run(["push", folder], { env: behindProxy() });
    assert.equal(ran.code, code, ran.stdout + ran.stderr);
    return ran;
  };

  for (const [folder, at] of [
    ["when-deleting", DELETES],
    ["when-importing", IMPORTS],
  ] as const)
    it(`says that it is not finished, and goes on when it is made again: ${folder}`, async () => {
      cpSync(BOOKING, join(root, folder), { recursive: true });
      await push(folder, 0);
      rmSync(join(root, folder, "evaluations"), { recursive: true });
      cut = at;
      isGone = false;
      const { stderr } = await push(folder, 1);
      assert.match(
        stderr,
        /^frontdesk: the connection to http\S+ was lost before the answer came, [^\n]*\nThe push is not finished: frontdesk diff \S+ \S+ says what is left, and pushing again does that\.\n$/,
      );
      cut = undefined;
      const again = await push(folder, 0);
      assert.match(again.stdout, /^- evaluations\//);
      assert.equal((await push(folder, 0)).stdout, "Nothing differs.\n");
    });

  it("says so when it is interrupted, and ends by the signal", async () => {
    const folder = join(root, "interrupted");
    cpSync(BOOKING, folder, { recursive: true });
    const imports = Promise.withResolvers<void>();
    onImport = imports.resolve;
    await using command = startCommand(["push", folder], { ...process.env, XDG_CONFIG_HOME: root, ...behindProxy() });
    await imports.promise;
    onImport = undefined;
    const told = command.saw(/warning: The push is not finished: frontdesk diff \S+ interrupted says what is left/);
    assert.equal(await command.interrupt(), null);
    await told;
    assert.equal(command.child.signalCode, "SIGINT");
  });

  it("says nothing of that where the server refused what was pushed", async () => {
    cpSync(BOOKING, join(root, "refused"), { recursive: true });
    isRefusing = true;
    const { stderr } = await push("refused", 1);
    isRefusing = false;
    assert.equal(stderr, "frontdesk: Not today.\n");
  });
});
