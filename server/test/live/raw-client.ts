import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** A frame as it came. */
interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A WebSocket client down at the bytes: it can stop reading, leave without a word, and answers no ping. */
interface RawClient {
  send(message: object): void;
  frame(): Promise<Frame>;
  pause(): void;
  resume(): void;
  /** Sends a close frame with a code. */
  close(code: number): void;
  /** Breaks the connection off: by a TCP reset, under TLS by closing it. */
  reset(): void;
}

/** Opens a WebSocket over a connection of its own: TLS for https, whoever signed the certificate, else plain TCP. */
export async function openRaw(
  address: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawClient> {
  const { protocol, hostname, port } = new URL(address);
  const target = { host: hostname, port: Number(port) };
  const socket = protocol === "https:" ? connectTls({ ...target, rejectUnauthorized: false }) : connect(target);
  socket.on("error", () => {}); // A reset is what some tests are about.
  const lines = {
    Host: `${hostname}:${port}`,
    Upgrade: "websocket",
    Connection: "Upgrade",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
    "Sec-WebSocket-Version": "13",
    ...headers,
  };
  const request = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${request.join("")}\r\n`);
  const reader = new ByteReader(socket);
  const head = (await reader.until("\r\n\r\n")).toString();
  if (!head.startsWith("HTTP/1.1 101")) throw new Error(`the handshake failed: ${head}`);
  return {
    send: (message) => socket.write(masked(0x81, Buffer.from(JSON.stringify(message)))),
    frame: () => readFrame(reader),
    close: (code) => socket.write(masked(0x88, Buffer.from([code >> 8, code & 0xff]))),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    reset: () => ("encrypted" in socket ? socket.destroy() : socket.resetAndDestroy()),
  };
}

/** Bytes in the portions that a reader wants. */
class ByteReader {
  #bytes: Buffer = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #size = 0;
  #wake: (() => void) | undefined;

  constructor(socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      this.#wake?.();
    });
  }

  async take(length: number): Promise<Buffer> {
    while (this.#bytes.length + this.#size < length) await this.#more();
    this.#join();
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  async until(mark: string): Promise<Buffer> {
    for (;;) {
      this.#join();
      const at = this.#bytes.indexOf(mark);
      if (at >= 0) return this.take(at + mark.length);
      await this.#more();
    }
  }

  #join(): void {
    this.#bytes = Buffer.concat([this.#bytes, ...this.#chunks]);
    this.#chunks = [];
    this.#size = 0;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

async function readFrame(reader: ByteReader): Promise<Frame> {
  const [first = 0, second = 0] = await reader.take(2);
  const short = second & 0x7f;
  const length =
    short < 126
      ? short
      : short === 126
        ? (await reader.take(2)).readUInt16BE()
        : Number((await reader.take(8)).readBigUInt64BE());
  return { opcode: first & 0x0f, payload: await reader.take(length) };
}

/** A client's frame; the mask is zero, which leaves the payload as it is. */
function masked(first: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : 4);
  head[0] = first;
  head[1] = 0x80 | Math.min(payload.length, 126);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}
