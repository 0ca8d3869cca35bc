import { once } from "node:events";
import { createServer } from "node:net";

/** Whether another program listens on the port. */
export async function portInUse(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  } finally {
    server.close();
  }
}
