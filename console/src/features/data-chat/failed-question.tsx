import { CornerUpLeft, RotateCw } from "lucide-react";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import type { ChatError, DataChat } from "./use-data-chat.ts";

interface FailedQuestionProps {
  readonly failure: ChatError;
  readonly chat: Pick<DataChat, "ask" | "open" | "conversation" | "discardFailed">;
  /** Puts a text back to where questions are typed. */
  readonly onEditText: (text: string) => void;
}

/** Why there is no answer, and what to do with the question: nothing that was typed is lost. */
export function FailedQuestion({ failure: { error, question }, chat, onEditText }: FailedQuestionProps) {
  return (
    <div className="stack tight answers">
      <Banner tone="error" error={error} />
      <div className="row wrap">
        <Button
          small
          onPress={() => {
            if (question === undefined) return chat.open(chat.conversation);
            chat.discardFailed();
            chat.ask(question);
          }}
        >
          <RotateCw size={14} aria-hidden="true" /> Retry
        </Button>
        {question !== undefined && (
          <Button
            small
            onPress={() => {
              chat.discardFailed();
              onEditText(question);
            }}
          >
            <CornerUpLeft size={14} aria-hidden="true" /> Edit question
          </Button>
        )}
      </div>
    </div>
  );
}
