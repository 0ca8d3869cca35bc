import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { Pick } from "../../components/field.tsx";

interface TargetPickProps {
  readonly app: string;
  /** Resource name; "" = the draft. */
  readonly value: string;
  readonly onChange: (target: string) => void;
  /** Whether its label shows. Default false: what it is stands to reason. */
  readonly labelled?: boolean;
}

/** What a session runs: the app as it is edited, one of its versions, or one of its deployments. */
export function TargetPick({ app, value, onChange, labelled = false }: TargetPickProps) {
  const versions = useQuery(AgentService.method.listAppVersions, { parent: app, pageSize: 200 });
  const deployments = useQuery(AgentService.method.listDeployments, { parent: app, pageSize: 200 });
  const choices = [
    { value: "", label: "Draft", description: "The app as it is edited now" },
    ...(versions.data?.appVersions ?? []).map(({ name, displayName }) => ({
      value: name,
      label: displayName || idOf(name),
      description: "Version",
    })),
    ...(deployments.data?.deployments ?? [])
      .filter(({ name }) => !/\/try-\d+-\d+$/.test(name))
      .map(({ name, displayName }) => ({ value: name, label: displayName || idOf(name), description: "Deployment" })),
  ];
  const known = choices.some((choice) => choice.value === value);
  return (
    <Pick
      label="What the session runs"
      hideLabel={!labelled}
      value={value}
      choices={known ? choices : [...choices, { value, label: idOf(value) }]}
      onChange={onChange}
    />
  );
}

function idOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
