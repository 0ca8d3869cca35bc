import type { JsonObject } from "@bufbuild/protobuf";
import { DescriptionList } from "../../../components/description-list.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Card } from "./card.tsx";
import { PayloadForm } from "./payload-form.tsx";
import { type PayloadView, payloadViews } from "./payload-views.ts";
import "../../../styles/simulator/payloads.css";
import { Button } from "../../../components/button.tsx";

interface PayloadProps {
  readonly payload: JsonObject;
  /** Whether something may still be chosen. */
  readonly live: boolean;
  /** Says what was chosen, in words. */
  readonly onSendText: (text: string) => void;
}

/** A payload as the user would see it if its type is known, and its JSON. */
export function Payload({ payload, live, onSendText }: PayloadProps) {
  const views = payloadViews(payload);
  return (
    <div className="payload">
      {views?.map((view, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a payload never change
        <View key={at} view={view} live={live} onSendText={onSendText} />
      ))}
      <details className="payload-json" open={!views}>
        <summary>{views ? "Payload" : "Payload (no preview)"}</summary>
        <JsonView value={payload} label="payload" />
      </details>
    </div>
  );
}

function View({ view, live, onSendText }: { readonly view: PayloadView } & Omit<PayloadProps, "payload">) {
  switch (view.kind) {
    case "cards":
      return (
        <>
          {view.heading && <p className="payload-title">{view.heading}</p>}
          <ul className="cards">
            {view.cards.map((card, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a payload never change
              <li key={at}>
                <Card card={card} live={live} onSendText={onSendText} />
              </li>
            ))}
          </ul>
        </>
      );
    case "actions":
      return <QuickReplies heading={view.heading} replies={view.actions} live={live} onSendText={onSendText} />;
    case "rating":
      return (
        <QuickReplies
          heading={view.heading}
          replies={Array.from({ length: view.most }, (_, at) => String(at + 1))}
          live={live}
          onSendText={onSendText}
        />
      );
    case "form":
      return <PayloadForm heading={view.heading} fields={view.fields} live={live} onSendText={onSendText} />;
    case "facts":
      return (
        <>
          {view.heading && <p className="payload-title">{view.heading}</p>}
          <DescriptionList facts={view.facts} />
        </>
      );
  }
}

interface QuickRepliesProps {
  readonly heading: string;
  readonly replies: readonly string[];
  readonly live: boolean;
  readonly onSendText: (text: string) => void;
}

/** Answers that can be given by a press. */
function QuickReplies({ heading, replies, live, onSendText }: QuickRepliesProps) {
  return (
    <>
      {heading && <p className="payload-title">{heading}</p>}
      <ul className="quick-replies" aria-label={heading || "Suggested replies"}>
        {replies.map((reply, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a payload never change
          <li key={at}>
            <Button small isDisabled={!live} onPress={() => onSendText(reply)}>
              {reply}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
