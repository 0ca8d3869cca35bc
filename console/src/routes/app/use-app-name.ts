import { useParams } from "@tanstack/react-router";
import { formatAppName } from "../../api/resource-names.ts";

/** The resource name of the app on screen. */
export function useAppName(): string {
  const { project = "", location = "", app = "" } = useParams({ strict: false });
  return formatAppName({ project, location, app });
}
