import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { after, before, describe, it } from "node:test";
import { createEgress, createLogger, type Egress } from "#base";
import { createSandbox, type PythonOutcome, type Sandbox } from "#sandbox";
import { TEST_CACHE } from "#testing/engine";
import { createTools, type Tools } from "#tools";

/** What names stand for. The gate must judge the addresses, whatever the names look like. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "open.example": ["127.0.0.1"],
  "loopback.example": ["127.0.0.1"],
  "loopback6.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "6to4.example": ["2002:7f00:1::"],
  "metadata.example": ["169.254.169.254"],
  "private.example": ["10.0.0.1", "192.168.0.1", "172.16.0.1"],
  "unique.example": ["fd00::1"],
  "any.example": ["0.0.0.0"],
  "carrier.example": ["100.64.0.1"],
  "multicast.example": ["224.0.0.1"],
};

let sandbox: Sandbox;
let egress: Egress;
let tools: Tools;
let open: { server: Server; port: number; requests: string[]; heard: string[] };
let closed: { server: Server; port: number; requests: string[]; heard: string[] };
let lookups = 0;

before(async () => {
  const logger = createLogger("silent");
  open = await listen(answerOpen);
  closed = await listen((_, response) => response.end("the host's secret"));
  egress = createEgress(
    { allowedPrivateHosts: [`open.example:${open.port}`] },
    {
      resolve: async (host) => {
        lookups += 1;
        // A name that changes its mind: allowed addresses never, but another refused one each time.
        const addresses = host === "rebind.example" ? [lookups % 2 ? "127.0.0.1" : "::1"] : (NAMES[host] ?? []);
        return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      },
    },
  );
  sandbox = createSandbox({ dataDir: TEST_CACHE, cacheDir: TEST_CACHE, logger, maxGuests: 2 });
  tools = createTools({ sandbox, egress, logger });
});
after(async () => {
  await sandbox.close();
  open.server.closeAllConnections();
  closed.server.close();
  open.server.close();
  await egress.close();
});

/** Runs statements that collect into `got`; the closed server must not have heard anything. */
async function attack(statements: string): Promise<unknown> {
  const code = `${FORGED}def f():\n    got = []\n${statements.trim().replace(/^/gm, "    ")}\n    return got\n`;
  const outcome = await run(code);
  assert.deepEqual(closed.requests, [], "the closed server was reached");
  assert.equal(outcome.kind, "returned", JSON.stringify(outcome));
  return "value" in outcome ? outcome.value : undefined;
}

function run(code: string): Promise<PythonOutcome> {
  const python = { invocationId: "i", agentName: "a", sessionId: "s", userContent: null, events: [] };
  const state = { open: `http://open.example:${open.port}`, closed: closed.port };
  const context = {
    app: "projects/p/locations/l/apps/evil",
    turn: "turn",
    python: { ...python, state },
    appTools: new Map(),
    useFakes: false,
    depth: 0,
    signal: new AbortController().signal,
  };
  const call = { code, filename: "python_code.py", entry: "f", toolNames: [], context: context.python };
  const limits = { cpuMs: 5_000, wallMs: 15_000 };
  const onHostCall = tools.hostCalls(context, () => {});
  return sandbox.run(call, { tenant: context.app, turn: `turn ${Math.random()}`, limits, onHostCall });
}

describe("a request to the host's own network is refused", () => {
  it("by every spelling of a loopback, metadata or private address", async () => {
    const got = await attack(`
for host in ("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1.", "127.0.0.2", "localhost", "LOCALHOST.", "[::1]",
             "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[::]", "0.0.0.0", "0", "169.254.169.254", "[fe80::1]", "[fd00::1]",
             "10.0.0.1", "192.168.1.1", "172.31.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255", "①②⑦.0.0.1", "user:pw@127.0.0.1"):
    answer = ces_requests.get(f"http://{host}:{get_variable('closed')}/")
    got.append([answer.status_code, "refused" in answer.reason])
`);
    assert.deepEqual(got, new Array(27).fill([500, true]));
  });

  it("by every name that stands for such an address, and by one that changes its mind", async () => {
    const names = [...Object.keys(NAMES).slice(1), ...new Array(4).fill("rebind.example")];
    const got = await attack(`
for host in ${JSON.stringify(names)}:
    answer = ces_requests.get(f"http://{host}:{get_variable('closed')}/", timeout=3)
    got.append([answer.status_code, "refused" in answer.reason or "failed" in answer.reason])
`);
    assert.deepEqual(got, new Array(names.length).fill([500, true]));
  });

  it("when a public server redirects to it", async () => {
    const got = await attack(`
for status in (301, 302, 303, 307, 308):
    for host in ("127.0.0.1", "localhost", "[::1]", "loopback.example"):
        answer = ces_requests.get(f"{get_variable('open')}/redirect?status={status}&to=http://{host}:{get_variable('closed')}/")
        got.append(answer.status_code)
answer = ces_requests.get(f"{get_variable('open')}/redirect?status=302&to=file:///etc/passwd")
got.append([answer.status_code, "not allowed" in answer.reason])
got.append(ces_requests.get(f"{get_variable('open')}/loop").status_code)
`);
    assert.deepEqual(got, [...new Array(20).fill(500), [500, true], 500]);
  });

  it("on another port of a host that the operator opened", async () => {
    assert.deepEqual(
      await attack(`got.append(ces_requests.get(f"http://open.example:{get_variable('closed')}/").status_code)`),
      [500],
    );
  });

  it("through urllib, with every handler it has", async () => {
    const got = await attack(`
import urllib.error, urllib.request
for url in (f"http://127.0.0.1:{get_variable('closed')}/", "file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x", "gopher://127.0.0.1:70/"):
    try:
        got.append(urllib.request.urlopen(url).status)
    except Exception as error:
        got.append(type(error).__name__)
opener = urllib.request.build_opener(urllib.request.FileHandler, urllib.request.ProxyHandler({"http": f"127.0.0.1:{get_variable('closed')}"}))
for url in ("file:///etc/passwd", "http://loopback.example/"):
    try:
        got.append(opener.open(url).status)
    except Exception as error:
        got.append(type(error).__name__)
`);
    assert.deepEqual(got, ["HTTPError", "URLError", "URLError", "URLError", "URLError", "URLError", "HTTPError"]);
  });
});

describe("a request cannot be made into another one", () => {
  it("by other schemes", async () => {
    const got = await attack(`
for url in ("file:///etc/passwd", "gopher://open.example/", "ftp://open.example/", "data:text/plain,x", "blob:x", "javascript:1", "unix:/run/x.sock", "", "//open.example/", "http://"):
    got.append(ces_requests.get(url).status_code)
`);
    assert.deepEqual(got, new Array(10).fill(500));
  });

  it("by line breaks in names, values, paths and methods", async () => {
    open.requests.length = 0;
    const got = await attack(`
url = get_variable("open")
for headers in ({"X": "a\\r\\nInjected: 1"}, {"X\\r\\nInjected": "1"}, {"X": "a\\nInjected: 1"}, {"X": "a\\0"}, {"": "x"}, {"X Y": "1"}, {"X": "\\ud800"}):
    got.append(ces_requests.get(url, headers=headers).status_code)
for method in ("GET / HTTP/1.1\\r\\nInjected: 1\\r\\n\\r\\nGET", "GE T", "", "\\u0130"):
    got.append(http(method, url)["status"])
try:
    ces_requests.request("GET\\r\\nInjected: 1", url)
except ValueError:
    got.append("ValueError")
got.append(ces_requests.get(url + "/a\\r\\nInjected: 1/b").status_code)
`);
    assert.deepEqual(got, [...new Array(11).fill(500), "ValueError", 200]);
    assert.deepEqual(open.requests, ["GET /aInjected:%201/b"]);
  });

  it("by headers that speak about the connection", async () => {
    open.requests.length = 0;
    const got = await attack(`
url = get_variable("open")
for headers in ({"Transfer-Encoding": "chunked"}, {"Content-Length": "5"}, {"Connection": "upgrade"}, {"Upgrade": "h2c"}, {"Expect": "100-continue"}, {"Keep-Alive": "x"}, {"Host": "inner.example"}):
    got.append(ces_requests.post(url, data="0\\r\\n\\r\\nGET /smuggled HTTP/1.1\\r\\n\\r\\n", headers=headers).status_code)
`);
    assert.deepEqual(got, new Array(7).fill(200));
    assert.deepEqual(open.requests, new Array(7).fill("POST /"));
    assert.equal(
      open.heard.some((header) => /smuggled|chunked|upgrade|inner/i.test(header)),
      false,
    );
  });

  it("by a tunnel", async () => {
    open.requests.length = 0;
    const got = await attack(`
for method in ("CONNECT", "connect"):
    got.append(http(method, get_variable("open"))["status"])
`);
    assert.deepEqual(got, [500, 500]);
    assert.deepEqual(open.requests, []);
  });
});

describe("an answer", () => {
  it("that is too large, too slow or never ends is given up", async () => {
    const got = await attack(`
url = get_variable("open")
for path, timeout in (("/huge", 10), ("/slow", 0.2), ("/trickle", 0.2), ("/silent", 0.2), ("/headers", 5)):
    answer = ces_requests.get(url + path, timeout=timeout)
    got.append([answer.status_code, len(answer.text)])
`);
    assert.deepEqual(got, new Array(5).fill([500, 0]));
  });

  it("is waited for as long as was said, whatever number that was", async () => {
    const got = await attack(`
for timeout in (1.1, 0.0015, 0, -1, 1e18):
    answer = http("GET", get_variable("open"), timeout)
    got.append(answer["status"] == 200 or "longer than" in answer["reason"])
`);
    assert.deepEqual(got, new Array(5).fill(true));
  });

  it("with hostile headers stays data", async () => {
    const got = await attack(`
answer = ces_requests.get(get_variable("open") + "/hostile")
got.append([answer.status_code, answer.headers.get("__proto__"), answer.headers.get("constructor"), answer.text])
`);
    assert.deepEqual(got, [[200, "polluted", "polluted", "\ufffd{"]]);
    assert.equal("polluted" in {}, false);
  });
});

/** Asks for HTTP past everything that checks it inside the guest. */
const FORGED = `
from sealed_guest import channel
def http(method, url, timeout=5):
    return channel.call("http", {"method": method, "url": url, "headers": {}, "timeout": timeout})
`;

function answerOpen(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://open.example");
  open.requests.push(`${request.method} ${request.url}`);
  open.heard.push(...request.rawHeaders);
  switch (url.pathname) {
    case "/redirect":
      response.writeHead(Number(url.searchParams.get("status")), { location: url.searchParams.get("to") ?? "" }).end();
      return;
    case "/loop":
      response.writeHead(302, { location: "/loop" }).end();
      return;
    case "/huge":
      for (let megabyte = 0; megabyte < 12; megabyte++) response.write(Buffer.alloc(1 << 20, "x"));
      response.end();
      return;
    case "/slow":
      response.writeHead(200).write("x");
      return;
    case "/trickle": {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
      return;
    }
    case "/silent":
      return;
    case "/headers":
      request.socket.end(`HTTP/1.1 200 OK\r\n${`X-${"h".repeat(100)}: v\r\n`.repeat(2_000)}\r\n`);
      return;
    case "/hostile":
      request.socket.end(
        "HTTP/1.1 200 OK\r\n__proto__: polluted\r\nconstructor: polluted\r\ncontent-length: 2\r\n\r\n\xff{",
        "latin1",
      );
      return;
    default:
      response.end("ok");
  }
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (answer !== answerOpen) requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.on("connect", (request) => requests.push(`CONNECT ${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the server has no port");
  return { server, port: address.port, requests, heard: [] as string[] };
}
