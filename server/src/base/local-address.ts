/** The address by which this machine reaches a port that is bound to a host. */
export function localAddress(host: string, port: number): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${reached}:${port}`;
}
