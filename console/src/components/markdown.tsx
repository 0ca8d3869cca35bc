import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";

const PLUGINS = [remarkGfm];

/** Text as markdown. HTML in it is shown as text, links open elsewhere and tell nothing of this page (marks that lead within it stand raised), images are not loaded. */
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
