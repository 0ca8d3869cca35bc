import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { send } from "./socket-messages.ts";

/** Characters of 80 ms of audio: 48 kHz, 16 bits, in base64. */
const PACKET = 10_240;

it("a WebSocket whose client reads nothing holds two packets of audio at most (WIRE-83)", async (t) => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.write(
    "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
  );
  const [socket] = (await once(server, "connection")) as [WebSocket];
  const packet = "a".repeat(PACKET);
  const taken = async () => {
    await send(socket, packet);
    return true;
  };
  // The network of this machine holds some megabytes.
  while (await Promise.race([taken(), delay(300, false)])) assert.ok(socket.bufferedAmount <= 2 * PACKET);
  assert.ok(socket.bufferedAmount <= 3 * PACKET, `${socket.bufferedAmount} bytes are held`);
});
