import { CommandError } from "./command.ts";

/** The example app: the default of `frontdesk chat`. */
const DEFAULT_APP = "projects/local/locations/us/apps/order-desk";

/** The resource name of an app from an operand: a resource name, or an id in the local project. */
export function appName(text: string | undefined): string {
  if (!text) return DEFAULT_APP;
  if (/^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+$/.test(text)) return text;
  if (!text.includes("/")) return `projects/local/locations/us/apps/${text}`;
  throw new CommandError(`'${text}' is not an app. Give an id, or projects/{project}/locations/{location}/apps/{app}.`);
}
