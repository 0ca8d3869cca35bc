import type { NamePattern } from "#aip";
import { appName } from "../app-name.ts";
import { CommandError, type CommandInput } from "../command.ts";
import { connectionOf } from "../connection.ts";

type Flags = CommandInput["flags"];

/** The parent of a collection from `--parent`, `--app`, `--project` and `--location`. In a list, `-` stands for all of what is not named. */
export function parentName({ text }: NamePattern, flags: Flags, allowsAll: boolean): string {
  if (typeof flags.parent === "string") return flags.parent;
  const segments = text.split("/");
  const parent = segments.slice(0, isSingleton(text) ? -1 : -2);
  const values = valuesOf(flags, parent.includes("apps"));
  return parent
    .map((segment) => {
      if (!segment.startsWith("{")) return segment;
      const value = values.get(segment) ?? (allowsAll ? "-" : undefined);
      if (value === undefined) throw new CommandError(`Give the whole name, or --parent: ${parent.join("/")}.`);
      return value;
    })
    .join("/");
}

/** The name of a resource from its id or whole name; a singleton needs neither. */
export function resourceName(pattern: NamePattern, operand: string | undefined, flags: Flags): string {
  const { text } = pattern;
  if (operand?.includes("/")) return operand;
  if (isSingleton(text)) return `${parentName(pattern, flags, false)}/${text.split("/").at(-1)}`;
  if (!operand) throw new CommandError(`the name is missing: an id, or ${text}.`);
  return `${parentName(pattern, flags, false)}/${text.split("/").at(-2)}/${operand}`;
}

/** `projects/{project}/locations/{location}/securitySettings`: there is one. */
function isSingleton(pattern: string): boolean {
  return !pattern.endsWith("}");
}

function valuesOf(flags: Flags, isBelowApps: boolean): ReadonlyMap<string, string> {
  const { app } = flags;
  if (!isBelowApps) {
    const { project, location } = connectionOf({ flags });
    return new Map([
      ["{project}", project],
      ["{location}", location],
    ]);
  }
  const name = appName(typeof app === "string" ? app : undefined, { flags });
  const [, inProject = "", , inLocation = "", , inApp = ""] = name.split("/");
  return new Map([
    ["{project}", inProject],
    ["{location}", inLocation],
    ["{app}", inApp],
  ]);
}
