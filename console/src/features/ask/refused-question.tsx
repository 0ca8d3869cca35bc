import { CornerUpLeft, RotateCw } from "lucide-react";
import { Banner } from "../../components/banner.tsx";
import { Button } from "../../components/button.tsx";
import type { ChatTrouble, DataChat } from "./use-data-chat.ts";

interface RefusedQuestionProps {
  readonly trouble: ChatTrouble;
  readonly chat: Pick<DataChat, "ask" | "open" | "conversation" | "forgetRefused">;
  /** Puts a text back to where questions are typed. */
  readonly onTakeBack: (text: string) => void;
}

/** Why there is no answer, and what to do with the question: nothing that was typed is lost. */
export function RefusedQuestion({ trouble: { refusal, question }, chat, onTakeBack }: RefusedQuestionProps) {
  return (
    <div className="stack tight answers">
      <Banner tone="bad" refusal={refusal} />
      <div className="row wrap">
        <Button
          small
          onPress={() => {
            if (question === undefined) return chat.open(chat.conversation);
            chat.forgetRefused();
            chat.ask(question);
          }}
        >
          <RotateCw size={14} aria-hidden="true" /> {question === undefined ? "Read it again" : "Ask again"}
        </Button>
        {question !== undefined && (
          <Button
            small
            onPress={() => {
              chat.forgetRefused();
              onTakeBack(question);
            }}
          >
            <CornerUpLeft size={14} aria-hidden="true" /> Edit the question
          </Button>
        )}
      </div>
    </div>
  );
}
