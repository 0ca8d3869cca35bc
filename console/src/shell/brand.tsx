import { Link } from "@tanstack/react-router";

/** The product's mark; leads to the list of apps. */
export function Brand() {
  return (
    <Link className="brand" to="/console">
      <img src="/favicon.svg" alt="" width="24" height="24" /> Frontdesk
    </Link>
  );
}
