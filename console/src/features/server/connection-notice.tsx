import { Banner } from "../../components/banner.tsx";
import { useServerConnection } from "./server-connection.ts";
import "../../styles/access.css";

/** Shown on every page while the server does not respond. The page below keeps its state. */
export function ConnectionNotice() {
  if (useServerConnection()) return null;
  return (
    <div className="connection-notice">
      <Banner tone="error">
        <p>The server is not responding. Your input is kept, and the page continues when the server is back.</p>
      </Banner>
    </div>
  );
}
