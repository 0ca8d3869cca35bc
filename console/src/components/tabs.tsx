import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";

/** One tab and what it shows. */
export interface TabItem {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly selected?: string | undefined;
  readonly onSelect?: (id: string) => void;
  /** Tabs whose content stays as it is while another one is shown: fields in it hold what is nowhere else. */
  readonly held?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Several views of one thing, one at a time; arrow keys change between them. */
export function Tabs({ label, items, selected, onSelect, held = NONE }: TabsProps) {
  return (
    <AriaTabs className="tabs" selectedKey={selected} onSelectionChange={(key) => onSelect?.(String(key))}>
      <TabList className="tab-list" aria-label={label}>
        {items.map(({ id, label: name }) => (
          <Tab key={id} id={id} className="tab" ref={id === selected ? bringIntoSight : null}>
            {name}
          </Tab>
        ))}
      </TabList>
      {items.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="tab-panel" shouldForceMount={held.has(id)}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

/** Where the tabs have no room beside each other, the selected one may be out of sight. */
function bringIntoSight(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}
