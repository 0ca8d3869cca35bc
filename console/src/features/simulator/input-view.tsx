import { Bubble } from "../../components/bubble.tsx";
import { FileView } from "./file-view.tsx";
import type { TurnInput, TurnPart } from "./turn-input.ts";

/** What the person sent: words as a bubble, files shown, everything else as a short line. */
export function InputView({ input }: { readonly input: TurnInput }) {
  return input.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what was sent never changes
    <PartView key={at} part={part} />
  ));
}

function PartView({ part }: { readonly part: TurnPart }) {
  switch (part.kind) {
    case "text":
      return <Bubble side="user">{part.text}</Bubble>;
    case "event":
      return <p className="event">Event: {part.event}</p>;
    case "keys":
      return <p className="event">Keys: {part.digits}</p>;
    case "file":
      return (
        <div className="sent-file">
          <FileView file={part.file} />
        </div>
      );
    case "variables":
      return <p className="event">Variables: {Object.keys(part.values).join(", ")}</p>;
    case "results":
      return part.results.map(({ id, displayName }) => (
        <p key={id} className="event">
          Result of {displayName || "a client function"}
        </p>
      ));
  }
}
