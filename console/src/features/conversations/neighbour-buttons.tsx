import { useNavigate, useRouterState } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { parseAppName, resourceId } from "../../api/resource-names.ts";
import { IconButton } from "../../components/button.tsx";
import { shownAround } from "./list-place.ts";
import "../../styles/conversations.css";

const ROUTE = "/console/projects/$project/locations/$location/apps/$app/conversations/$conversation";

/**
 * The conversation before and after this one, in the list that the page was opened from; nothing where there was none. Back still leads to the list.
 * The button that was pressed has the focus on the next page, too.
 */
export function NeighbourButtons({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  const { list, step } = useRouterState({ select: ({ location }) => location.state });
  const around = shownAround(name);
  if (!around) return null;
  const { previous, next, place, count } = around;
  const open = (other: string, pressed: "previous" | "next") =>
    void navigate({
      to: ROUTE,
      params: { ...parseAppName(other), conversation: resourceId(other) },
      state: { ...(list && { list }), step: pressed },
      replace: true,
    });
  // At an end of the list the pressed button is disabled.
  const focused = step === "next" ? (next ? "next" : "previous") : step && (previous ? "previous" : "next");
  return (
    <nav className="neighbours" aria-label="Conversations of the list">
      <IconButton
        label="Previous conversation"
        isDisabled={!previous}
        autoFocus={focused === "previous"}
        onPress={() => previous && open(previous, "previous")}
      >
        <ChevronLeft size={18} aria-hidden="true" />
      </IconButton>
      <span className="muted">
        {place.toLocaleString()} of {count.toLocaleString()}
      </span>
      <IconButton
        label="Next conversation"
        isDisabled={!next}
        autoFocus={focused === "next"}
        onPress={() => next && open(next, "next")}
      >
        <ChevronRight size={18} aria-hidden="true" />
      </IconButton>
    </nav>
  );
}
