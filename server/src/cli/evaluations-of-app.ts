import type { Client } from "@connectrpc/connect";
import type { Evaluation } from "@frontdesk/protos/ces/evaluation";
import type { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { idOf } from "#aip";
import { nearestName } from "#base";
import { CommandError, type CommandInput } from "./command.ts";
import { tagsOf } from "./flags/tags-flag.ts";
import { allPages } from "./server/all-pages.ts";
import { shellWord } from "./shell-word.ts";

/** The names of the evaluations that are named, or of all; of both those with one of the tags. */
export function chosenEvaluations(
  app: string,
  named: readonly string[],
  all: readonly Evaluation[],
  input: Pick<CommandInput, "flags">,
): string[] {
  const tags = tagsOf(input);
  const wanted = named.length === 0 ? all : named.map((text) => theOne(text, all, "evaluation"));
  const found = wanted.filter((one) => tags.length === 0 || one.tags.some((tag) => tags.includes(tag)));
  if (found.length > 0) return found.map(({ name }) => name);
  throw new CommandError(
    tags.length === 0 ? `${app} has no evaluations.` : `no evaluation has the tag ${tags.join(" or ")}.`,
  );
}

/** All evaluations of an app. */
export function evaluationsOf(app: string, client: Client<typeof EvaluationService>): Promise<readonly Evaluation[]> {
  return allPages(async (pageToken) => {
    const { evaluations, nextPageToken } = await client.listEvaluations({ parent: app, pageSize: 1_000, pageToken });
    return { items: evaluations, nextPageToken };
  });
}

/** The one with a name, an id or a display name. Display names are unique. */
export function theOne<Named extends { readonly name: string; readonly displayName: string }>(
  wanted: string,
  all: readonly Named[],
  kind: string,
): Named {
  const found =
    all.find(({ name }) => name === wanted || idOf(name) === wanted) ??
    all.find(({ displayName }) => displayName === wanted);
  if (found) return found;
  const words = all.flatMap(({ name, displayName }) => [displayName, idOf(name)]);
  const meant = nearestName(wanted, words);
  if (meant !== undefined)
    throw new CommandError(`'${wanted}' is no ${kind} of the app. Did you mean ${shellWord(meant)}?`);
  const known = all.slice(0, 20).map(({ displayName }) => displayName);
  const more = all.length > known.length ? ` and ${all.length - known.length} more` : "";
  throw new CommandError(`'${wanted}' is no ${kind} of the app; it has ${known.join(", ") || "none"}${more}.`);
}
