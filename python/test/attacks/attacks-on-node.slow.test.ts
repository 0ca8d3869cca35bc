import { tryAttacksOnNode } from "./attacks-on-node.ts";

tryAttacksOnNode(([first]) => (first ? [first] : []));
