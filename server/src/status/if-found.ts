import { Code, ConnectError } from "@connectrpc/connect";

/** What a read answers; undefined in place of NOT_FOUND. Any other error is thrown. */
export async function ifFound<Found>(read: Promise<Found>): Promise<Found | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  }
}
