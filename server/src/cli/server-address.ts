/**
 * Address of the server that commands call: FRONTDESK_SERVER, else the default port on this machine. It is not read with the server's
 * settings, because these commands do not load the server.
 */
export function serverAddress(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.FRONTDESK_SERVER ?? `http://127.0.0.1:${environment.FRONTDESK_PORT ?? 8080}`;
}
