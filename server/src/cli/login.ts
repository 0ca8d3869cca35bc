import { setTimeout as wait } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "#base";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { printResult, UNNAMED_OUTPUT_FLAGS } from "./output/print-result.ts";
import { checkedAddress } from "./server/server-address.ts";
import { addressOf } from "./server/server-client.ts";
import { postForm } from "./sign-in/post-form.ts";
import { loginOf, readLogin, writeLogin } from "./sign-in/stored-logins.ts";

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";

/** Hosts to which a token may go in plain text: it does not leave this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** `frontdesk login`: a person allows the commands of this machine to call a server in their name, by the device flow (AUTH-22). */
export const login: Command = {
  name: "login",
  operands: "[server]",
  summary: "log in to a server that wants to know its callers, in a browser on any machine",
  flags: [...UNNAMED_OUTPUT_FLAGS, ...SERVER_FLAGS],
  examples: ["login https://desk.example.com"],
  run: async (input) => {
    const origin = originOf(input);
    const { ok, body } = await postForm(`${origin}/auth/device`, { client_id: "frontdesk" });
    if (!ok) throw new CommandError(messageOf(body));
    process.stderr.write(
      `Open this address, compare the code ${body.user_code}, and allow it:\n\n  ${body.verification_uri_complete}\n\n`,
    );
    writeLogin(origin, loginOf(await allowed(origin, body)));
    const text = `Logged in to ${origin}. Commands with this --server, or FRONTDESK_SERVER, use the login.`;
    printResult(input.flags, { value: { server: origin }, text });
    return 0;
  },
};

/** `frontdesk logout`: ends the login on the server too. */
export const logout: Command = {
  name: "logout",
  operands: "[server]",
  summary: "end the login at a server",
  flags: [...UNNAMED_OUTPUT_FLAGS, ...SERVER_FLAGS],
  examples: ["logout https://desk.example.com"],
  run: async (input) => {
    const origin = originOf(input);
    const stored = readLogin(origin);
    if (!stored) throw new CommandError(`Nobody is logged in at ${origin}.`);
    await postForm(`${origin}/auth/revoke`, { token: stored.refreshToken });
    writeLogin(origin, undefined);
    printResult(input.flags, { value: { server: origin }, text: `Logged out of ${origin}.` });
    return 0;
  },
};

function originOf({ positionals: [named], flags }: CommandInput): string {
  const { origin, protocol, hostname } = new URL(named ? checkedAddress("The server", named) : addressOf({ flags }));
  if (protocol === "https:" || LOOPBACK.test(hostname)) return origin;
  throw new CommandError(`A token for ${origin} would cross the network in plain text. Use its https address.`);
}

/** Asks until the person has decided. */
async function allowed(origin: string, { device_code: code, interval }: JsonObject): Promise<JsonObject> {
  let seconds = Number(interval ?? 5);
  for (;;) {
    await wait(seconds * 1_000);
    const { ok, body } = await postForm(`${origin}/token`, { grant_type: DEVICE_CODE, device_code: String(code) });
    if (ok) return body;
    if (body.error === "slow_down") seconds += 5;
    else if (body.error !== "authorization_pending") throw new CommandError(messageOf(body));
  }
}

/** The sentence of an answer: those of OAuth and those of the API say it in other places. */
function messageOf({ error, error_description: description }: JsonObject): string {
  if (typeof description === "string") return description;
  return isJsonObject(error) ? String(error.message) : String(error);
}
