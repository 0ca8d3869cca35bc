/**
 * What a call of the file system answers; undefined where nothing is at its path. Any other error is thrown: a file that may not be read is no missing one.
 */
export async function ifThere<Found>(call: Promise<Found>): Promise<Found | undefined> {
  try {
    return await call;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
