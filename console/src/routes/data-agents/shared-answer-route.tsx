import { useParams } from "@tanstack/react-router";
import { formatDataAgent } from "../../api/resource-names.ts";
import { SharedAnswerPage } from "../../features/data-chat/sharing/shared-answer-page.tsx";

/** An answer that somebody shared; the token of a link for everybody is the fragment of the address. */
export function SharedAnswerRoute() {
  const { answer, ...agent } = useParams({
    from: "/console/projects/$project/locations/$location/dataAgents/$agent/sharedAnswers/$answer",
  });
  return (
    <SharedAnswerPage
      name={`${formatDataAgent(agent)}/sharedAnswers/${answer}`}
      token={window.location.hash.slice(1)}
    />
  );
}
