import { Button } from "../../../components/button.tsx";

interface QuickRepliesProps {
  readonly heading: string;
  readonly replies: readonly string[];
  readonly live: boolean;
  readonly onSay: (text: string) => void;
}

/** Answers that can be given by a press. */
export function QuickReplies({ heading, replies, live, onSay }: QuickRepliesProps) {
  return (
    <>
      {heading && <p className="payload-title">{heading}</p>}
      <ul className="quick-replies" aria-label={heading || "Answers to choose from"}>
        {replies.map((reply, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a payload never change
          <li key={at}>
            <Button small isDisabled={!live} onPress={() => onSay(reply)}>
              {reply}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
