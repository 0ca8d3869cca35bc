import { Button } from "../../../components/button.tsx";
import { Facts } from "../../../components/facts.tsx";
import type { Card as CardOf } from "./payload-view-of.ts";

interface CardProps {
  readonly card: CardOf;
  readonly live: boolean;
  readonly onSay: (text: string) => void;
}

/** One product or piece of information. Its pictures are elsewhere and not loaded. */
export function Card({ card: { title, text, price, link, facts }, live, onSay }: CardProps) {
  return (
    <article className="widget-card">
      <p className="payload-title">{title || "Untitled"}</p>
      {text && <p>{text}</p>}
      {price && <p className="price">{price}</p>}
      <Facts facts={facts} />
      <div className="row wrap">
        {title && (
          <Button small isDisabled={!live} onPress={() => onSay(title)}>
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
