import { Button } from "../../../components/button.tsx";
import { DescriptionList } from "../../../components/description-list.tsx";
import type { Card as CardOf } from "./payload-views.ts";

interface CardProps {
  readonly card: CardOf;
  readonly live: boolean;
  readonly onSendText: (text: string) => void;
}

/** One product or piece of information. Its pictures are elsewhere and not loaded. */
export function Card({ card: { title, text, price, link, facts }, live, onSendText }: CardProps) {
  return (
    <article className="widget-card">
      <p className="payload-title">{title || "Untitled"}</p>
      {text && <p>{text}</p>}
      {price && <p className="price">{price}</p>}
      <DescriptionList facts={facts} />
      <div className="row wrap">
        {title && (
          <Button small isDisabled={!live} onPress={() => onSendText(title)}>
            Choose
          </Button>
        )}
        {link && (
          <a href={link} target="_blank" rel="noreferrer noopener">
            Open {new URL(link).host}
          </a>
        )}
      </div>
    </article>
  );
}
