import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { Link } from "@tanstack/react-router";
import { pagePath, parentApp, resourceId, resourceTitle } from "../../api/resource-names.ts";
import { deployments, versions } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import { DateTime } from "../../components/date-time.tsx";
import { SOURCE_NAMES } from "./conversation-sources.ts";

/** When a conversation took place, how long it took, where it came from, and which version and deployment answered. */
export function ConversationFacts({ conversation }: { readonly conversation: Conversation }) {
  const { name, startTime, endTime, turns, source, languageCode, deployment, appVersion } = conversation;
  const app = parentApp(name);
  const deployed = useResources(deployments, deployment ? app : "").data;
  const released = useResources(versions, isRelease(appVersion) ? app : "").data;
  return (
    <ul className="conversation-facts" aria-label="About the conversation">
      <li>
        <DateTime time={startTime} seconds />
      </li>
      <li>{took(startTime, endTime)}</li>
      <li>{turns.length === 1 ? "1 turn" : `${turns.length.toLocaleString()} turns`}</li>
      <li>{SOURCE_NAMES[source]}</li>
      <li>{isRelease(appVersion) ? <Named name={appVersion} all={released} /> : "Draft"}</li>
      {deployment && (
        <li>
          <Named name={deployment} all={deployed} />
        </li>
      )}
      {languageCode && <li>{languageCode}</li>}
    </ul>
  );
}

interface NamedProps {
  readonly name: string;
  readonly all: readonly { readonly name: string; readonly displayName: string }[] | undefined;
}

/** A resource by its title, or by its id where that is not known, as after it was deleted. */
function Named({ name, all }: NamedProps) {
  const found = all?.find((one) => one.name === name);
  return <Link to={pagePath(name)}>{found ? resourceTitle(found) : resourceId(name)}</Link>;
}

function isRelease(appVersion: string): boolean {
  return appVersion !== "" && resourceId(appVersion) !== "-";
}

const UNITS = [
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** From the first turn to the end of the last, in its two largest units: "1 h 5 min". */
function took(start: Timestamp | undefined, end: Timestamp | undefined): string {
  let left = Math.max(0, Number((end?.seconds ?? 0n) - (start?.seconds ?? 0n)));
  if (left < 1) return "under 1 s";
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(" ");
}
