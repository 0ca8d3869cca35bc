import { homedir } from "node:os";
import { join } from "node:path";
import { parsePort } from "#base";
import { CommandError } from "../command.ts";

/** The address in FRONTDESK_SERVER; undefined: not set. Throws `CommandError` for one that cannot be used. */
export function environmentServer(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { FRONTDESK_SERVER: server } = environment;
  return server === undefined ? undefined : checkedAddress("FRONTDESK_SERVER", server);
}

/**
 * Address of the server on this machine, by FRONTDESK_PORT. It is not read with the server's settings, because commands that call a server do not
 * load it. Throws `CommandError` for a port that is none.
 */
export function localServer(environment: NodeJS.ProcessEnv = process.env): string {
  const { FRONTDESK_PORT: port = "8080" } = environment;
  if (parsePort(port) === undefined)
    throw new CommandError(`FRONTDESK_PORT is '${port}', which is not a port. Use a number from 0 to 65535.`);
  return `http://127.0.0.1:${port}`;
}

/** The data folder of the server on this machine: FRONTDESK_DATA, else the one below the working directory. */
export function dataFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.FRONTDESK_DATA ?? ".frontdesk";
}

/** What the environment has to sign in with: a token, and the path of a key file. */
export function environmentCredentials(environment: NodeJS.ProcessEnv = process.env) {
  const { FRONTDESK_TOKEN: token, GOOGLE_APPLICATION_CREDENTIALS: keyFile } = environment;
  return { token, keyFile };
}

/** The folder of this user's settings, where the system keeps such. */
export function settingsFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME, APPDATA } = environment;
  return join(XDG_CONFIG_HOME || APPDATA || join(homedir(), ".config"), "frontdesk");
}

/** The address that a setting has. Throws `CommandError` unless it is one of http or https. */
export function checkedAddress(setting: string, address: string): string {
  const protocol = URL.parse(address)?.protocol;
  if (protocol === "http:" || protocol === "https:") return address;
  throw new CommandError(`${setting} is '${address}', which is not an address. Use one like http://127.0.0.1:8080.`);
}

/** The program that opens addresses, where a person has named one. */
export function environmentBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return environment.BROWSER || undefined;
}
