import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A registry that holds nothing but packed packages. npm asks it for those of their scope. */
interface FakeNpmRegistry extends AsyncDisposable {
  /** `http://127.0.0.1:1234/` */
  readonly address: string;
}

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly manifest: object;
  readonly bytes: Buffer;
}

/** Serves the tarballs as the registry does: a document for each package, and its tarball. */
export async function startFakeNpmRegistry(tarballs: readonly string[]): Promise<FakeNpmRegistry> {
  const packages = new Map(tarballs.map(readPacked).map((packed) => [packed.name, packed]));
  const server = createServer((request, response) => {
    const [, kind, name = ""] = /^\/(-\/)?(.+?)(?:\.tgz)?$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
    const packed = packages.get(name);
    if (!packed) response.writeHead(404, { "content-type": "application/json" }).end('{"error":"Not found"}');
    else if (kind) response.writeHead(200, { "content-type": "application/octet-stream" }).end(packed.bytes);
    else response.writeHead(200, { "content-type": "application/json" }).end(documentOf(packed, address()));
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: address(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function readPacked(tarball: string): Packed {
  const manifest = JSON.parse(execFileSync("tar", ["-xOzf", tarball, "package/package.json"], { encoding: "utf8" }));
  return { name: manifest.name, version: manifest.version, manifest, bytes: readFileSync(tarball) };
}

function documentOf({ name, version, manifest, bytes }: Packed, address: string): string {
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const dist = { integrity, tarball: `${address}-/${encodeURIComponent(name)}.tgz` };
  return JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } });
}
