import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";

const PLUGINS = [remarkGfm];

/** Text as markdown. HTML is shown as text, links open in a new tab without a referrer (links within the page are superscript), images are not loaded. */
function Markdown({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={PLUGINS}
      components={{
        a: ({ href, children }) =>
          href?.startsWith("#") ? (
            <sup>
              <a href={href}>{children}</a>
            </sup>
          ) : (
            <a href={href} target="_blank" rel="noreferrer noopener">
              {children}
            </a>
          ),
        img: ({ alt }) => <span>{alt}</span>,
      }}
    >
      {text}
    </ReactMarkdown>
  );
}

// biome-ignore lint/style/noDefaultExport: React loads lazy components by their default export
export default Markdown;
