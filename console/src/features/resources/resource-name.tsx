import { Link } from "@tanstack/react-router";
import { pagePath } from "../../api/resource-names.ts";
import "../../styles/resource-name.css";

/** Resources that have a page; sessions are read as conversations. */
const WITH_PAGE =
  /^projects\/[^/]+\/locations\/[^/]+\/(?:apps\/[^/]+(?:\/(?:agents|tools|toolsets|guardrails|examples|conversations|evaluations|evaluationRuns|scheduledEvaluationRuns|versions|deployments)\/[^/]+|\/evaluations\/[^/]+\/results\/[^/]+)?|dataAgents\/[^/]+|dataFiles\/[^/]+)$/;

interface ResourceNameProps {
  readonly name: string;
  /** What all names of the list begin with: it is left out. */
  readonly parent: string;
}

/** The name of any resource, which leads to its page where it has one. */
export function ResourceName({ name, parent }: ResourceNameProps) {
  const paged = name.replace(/\/sessions\/(?=[^/]+$)/, "/conversations/");
  const shown = name.startsWith(`${parent}/`) ? name.slice(parent.length + 1) : name;
  const text = <span className="resource-name">{shown}</span>;
  if (!WITH_PAGE.test(paged)) return text;
  return <Link to={/\/apps\/[^/]+$/.test(paged) ? `${pagePath(paged)}/settings` : pagePath(paged)}>{text}</Link>;
}
