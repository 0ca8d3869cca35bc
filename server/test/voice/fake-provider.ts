import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The key that the providers of these tests know. */
export const KEY = "test-key";

/** A provider on loopback; it stops when it is disposed of. */
export interface FakeProvider extends AsyncDisposable, ProviderState {
  readonly baseUrl: string;
}

interface ProviderState {
  /** What it was asked, one line a call. */
  readonly calls: string[];
  /** While set, it behaves as a provider that is down. */
  broken: boolean;
  /** How many of the next calls fail as if it were down. */
  failures: number;
  /** What it sends in place of its next answer, which is then the whole. */
  garbage: string | undefined;
}

/** A provider that was asked nothing yet, and works. */
export function newState(): ProviderState {
  return { calls: [], broken: false, failures: 0, garbage: undefined };
}

/** The provider of a state at a port; `stop` ends it. */
export function providerAt(port: number, state: ProviderState, stop: () => Promise<void>): FakeProvider {
  return Object.assign(state, { baseUrl: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop });
}

/** Opens an HTTP server on a free port of this machine; answers the port. */
export async function openOn(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A tone of 440 Hz, 40 milliseconds a character, 16 bit. */
export function tone(text: string, rate: number): Buffer {
  const samples = Math.round(text.length * 0.04 * rate);
  const sound = Buffer.alloc(2 * samples);
  for (let at = 0; at < samples; at++)
    sound.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * 440 * at) / rate)), 2 * at);
  return sound;
}
