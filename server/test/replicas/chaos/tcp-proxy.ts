import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can misbehave. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks all connections, in the middle of whatever they carry. */
  cut(): void;
  /** From now on, passes everything on this much later, in both directions and in order. */
  delay(milliseconds: number): void;
  /** Keeps what is sent for this long, in both directions. */
  stall(milliseconds: number): void;
  /** From now on, nothing that comes over the connections there are goes on, as if the machine behind them were gone; over later ones all does. */
  strand(): void;
  /** From now on, nothing goes on over any connection, until the answer is called. */
  silence(): () => void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (isSilent) from.pause();
      let dueTime = 0;
      from.on("data", (chunk) => {
        dueTime = Math.max(dueTime, performance.now() + delayMs);
        const left = dueTime - performance.now();
        if (left <= 0) to.write(chunk);
        else setTimeout(() => to.write(chunk), Math.ceil(left));
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    delay: (milliseconds) => {
      delayMs = milliseconds;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    stall: (milliseconds) => {
      const stalled = [...sockets];
      for (const socket of stalled) socket.pause();
      setTimeout(() => {
        for (const socket of stalled) socket.resume();
      }, milliseconds);
    },
    strand: () => {
      for (const socket of sockets) socket.pause();
    },
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.pause();
      return () => {
        isSilent = false;
        for (const socket of sockets) socket.resume();
      };
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
