import type { JsonObject } from "@bufbuild/protobuf";
import { Facts } from "../../../components/facts.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Card } from "./card.tsx";
import { PayloadForm } from "./payload-form.tsx";
import { type PayloadView, payloadViewOf } from "./payload-view-of.ts";
import { QuickReplies } from "./quick-replies.tsx";
import "../../../styles/try/payloads.css";

interface PayloadProps {
  readonly payload: JsonObject;
  /** Whether something may still be chosen. */
  readonly live: boolean;
  /** Says what was chosen, in words. */
  readonly onSay: (text: string) => void;
}

/** A payload as a person would see it where its kind is known; the JSON is always at hand. */
export function Payload({ payload, live, onSay }: PayloadProps) {
  const views = payloadViewOf(payload);
  return (
    <div className="payload">
      {views?.map((view, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a payload never change
        <View key={at} view={view} live={live} onSay={onSay} />
      ))}
      <details className="payload-json" open={!views}>
        <summary>{views ? "Payload" : "Payload, not drawn"}</summary>
        <JsonView value={payload} label="payload" />
      </details>
    </div>
  );
}

function View({ view, live, onSay }: { readonly view: PayloadView } & Omit<PayloadProps, "payload">) {
  switch (view.kind) {
    case "cards":
      return (
        <>
          {view.heading && <p className="payload-title">{view.heading}</p>}
          <ul className="cards">
            {view.cards.map((card, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a payload never change
              <li key={at}>
                <Card card={card} live={live} onSay={onSay} />
              </li>
            ))}
          </ul>
        </>
      );
    case "actions":
      return <QuickReplies heading={view.heading} replies={view.actions} live={live} onSay={onSay} />;
    case "rating":
      return (
        <QuickReplies
          heading={view.heading}
          replies={Array.from({ length: view.most }, (_, at) => String(at + 1))}
          live={live}
          onSay={onSay}
        />
      );
    case "form":
      return <PayloadForm heading={view.heading} fields={view.fields} live={live} onSay={onSay} />;
    case "facts":
      return (
        <>
          {view.heading && <p className="payload-title">{view.heading}</p>}
          <Facts facts={view.facts} />
        </>
      );
  }
}
