import { appName } from "../app-name.ts";
import { CommandError, type CommandInput } from "../command.ts";

/** The conversation of an operand: `{app}/{id}`, or the resource name of a session or conversation. */
export function conversationName(text: string, input: CommandInput): string {
  const [, app, id] = /^(.+?)(?:\/(?:sessions|conversations))?\/([^/]+)$/.exec(text) ?? [];
  if (!app || !id)
    throw new CommandError(
      `'${text}' is not a session. Pass {app id}/{session id}, or the resource name of the session; frontdesk conversations list --app {app id} shows those that there are.`,
    );
  return `${appName(app, input)}/conversations/${id}`;
}
