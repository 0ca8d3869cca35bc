import type { GoogleSearchSuggestions } from "@frontdesk/protos/ces/search_suggestions";
import type { Citations_CitedChunk as CitedChunk } from "@frontdesk/protos/ces/session_service";
import { Button } from "../../components/button.tsx";
import { truncate } from "../../components/truncate.ts";
import { webLink } from "./web-link.ts";
import "../../styles/simulator/payloads.css";

interface SourcesProps {
  readonly citations: readonly CitedChunk[];
  readonly suggestions: GoogleSearchSuggestions | undefined;
  readonly onSendText: ((text: string) => void) | undefined;
}

/** Where an answer comes from, and what might be searched for next. The HTML of suggestions is not shown: it is somebody else's. */
export function Sources({ citations, suggestions, onSendText }: SourcesProps) {
  const queries = suggestions?.webSearchQueries.map(({ query }) => query).filter(Boolean) ?? [];
  return (
    <>
      {citations.length > 0 && (
        <ol className="citations" aria-label="Sources">
          {citations.map(({ uri, title, text }, at) => {
            const link = webLink(uri);
            const name = title || uri || "Source";
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the sources of an answer never change
              <li key={at}>
                {link ? (
                  <a href={link} target="_blank" rel="noreferrer noopener">
                    {name}
                  </a>
                ) : (
                  name
                )}
                {text && <q>{truncate(text, 300)}</q>}
              </li>
            );
          })}
        </ol>
      )}
      {queries.length > 0 && (
        <ul className="quick-replies" aria-label="Suggested searches">
          {queries.map((query) => (
            <li key={query}>
              <Button small isDisabled={!onSendText} onPress={() => onSendText?.(query)}>
                {query}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
