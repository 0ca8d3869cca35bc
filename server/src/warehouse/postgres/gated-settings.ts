import type { ClientConfig } from "pg";
import type { DatabaseGate } from "../connections/gate-contract.ts";

/** Settings of connections through a gate. All that the driver would else look up in the environment of the server is said here. */
export function gatedSettings(connectionString: string, gate: DatabaseGate): ClientConfig {
  const url = new URL(connectionString);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port);
  return {
    ...{ host, port, database: decodeURIComponent(url.pathname.slice(1)), user: decodeURIComponent(url.username) },
    // As a function, so that an empty one is no reason to look for another.
    password: () => decodeURIComponent(url.password),
    ssl: tlsOptions(gate),
    stream: () => {
      const socket = gate.connect(host, port);
      // The driver would connect it; it is on its way.
      socket.connect = () => socket;
      return socket;
    },
  };
}

function tlsOptions(gate: DatabaseGate): Exclude<ClientConfig["ssl"], undefined> {
  const { tls, ca } = gate.tls();
  if (tls === "disabled") return false;
  return { rejectUnauthorized: tls === "verify", ...(ca !== "" && { ca }) };
}
