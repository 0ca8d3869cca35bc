import { createClient } from "@connectrpc/connect";
import { QuotaService } from "@frontdesk/protos/quota/quota_service";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMay } from "../api/permissions.ts";
import { useProjects } from "../api/projects.ts";
import { textInAddress } from "../api/text-in-address.ts";
import { transport } from "../api/transport.ts";
import { SelectField } from "../components/field.tsx";
import { ListPage } from "../components/list-page.tsx";
import { WHOLE_SERVER } from "../features/audit/audit-search.ts";
import { LimitList, limitText, textOfUsage, UsageTable } from "../features/quotas/quota-tables.tsx";

import "../styles/conversations.css";

const quotas = createClient(QuotaService, transport);

const REFRESH_MS = 5_000;
/** The fullest that are shown. */
const SHOWN = 1_000;

/** The limits of the server, and what callers, apps and projects used of them. The fullest first. */
export function QuotasRoute() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayReadAll = useMay(WHOLE_SERVER)("quota.quotaUsages.list");
  const projects = useProjects();
  const places = mayReadAll ? [WHOLE_SERVER, ...projects] : projects;
  const parent = textInAddress(search.project) ?? places[0] ?? "";
  const limit = textInAddress(search.limit) ?? "";
  const list = useQuery({
    queryKey: ["quotas", parent],
    queryFn: ({ signal }) => quotas.listQuotaUsages({ parent, pageSize: SHOWN }, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const set = (change: object) =>
    void navigate({ to: ".", search: (now: object) => ({ ...now, ...change }) as never, replace: true });
  const limits = list.data?.limits ?? [];
  const usages = list.data?.quotaUsages.filter((usage) => limit === "" || limitText(usage.limit) === limit);
  const isLimited = !list.data || limits.length > 0;
  return (
    <ListPage
      title="Quotas"
      list={{ ...list, data: isLimited ? usages : [] }}
      rows="uses"
      find={textOfUsage}
      filter={
        isLimited && (
          <div className="filter-fields">
            <SelectField
              label="Limit"
              value={limit}
              choices={[{ value: "", label: "All limits" }, ...limits.map(choiceOf)]}
              onChange={(next) => set({ limit: next || undefined })}
            />
            {places.length > 1 && (
              <SelectField
                label="Project"
                value={parent}
                choices={[...new Set([...places, parent])].map((value) => ({
                  value,
                  label: value === WHOLE_SERVER ? "Whole server" : value,
                }))}
                onChange={(project) => set({ project })}
              />
            )}
          </div>
        )
      }
      {...(!isLimited && { empty: UNLIMITED })}
    >
      {(rows) => (
        <div className="stack">
          <UsageTable usages={rows} />
          <LimitList limits={limits} />
        </div>
      )}
    </ListPage>
  );
}

const UNLIMITED = {
  title: "No limits",
  text: "Only the number of turns that run at once is limited. To limit callers, apps or projects, set quotas in the configuration file.",
};

function choiceOf(limit: Parameters<typeof limitText>[0]) {
  return { value: limitText(limit), label: limitText(limit) };
}
