import { once } from "node:events";
import { createServer } from "node:net";

/** The system's error of why nothing can listen on a port, such as EADDRINUSE; undefined when it can. */
export async function listenError(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    server.close();
  }
}
