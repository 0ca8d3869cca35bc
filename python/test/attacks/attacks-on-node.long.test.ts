import { tryAttacksOnNode } from "./attacks-on-node.ts";

tryAttacksOnNode((all) => all);
