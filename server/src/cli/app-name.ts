import { CommandError, type CommandInput } from "./command.ts";
import { placeOf } from "./server/connection.ts";

/** The example app: the default of `frontdesk chat`. */
const DEFAULT_APP = "order-desk";

/**
 * The resource name of an app from an operand: a resource name, or an id in the project of the command line. Undefined: the example app. Throws
 * `CommandError` for an empty one, which is the unset variable of a script.
 */
export function appName(text: string | undefined, input: Pick<CommandInput, "flags">): string {
  const app = text ?? DEFAULT_APP;
  if (app === "") throw new CommandError("the app is empty. Give an id or a resource name.");
  if (/^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+$/.test(app)) return app;
  if (!app.includes("/")) return `${placeOf(input)}/apps/${app}`;
  throw new CommandError(`'${app}' is not an app. Give an id, or projects/{project}/locations/{location}/apps/{app}.`);
}
