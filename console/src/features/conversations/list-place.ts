import { useRouter } from "@tanstack/react-router";
import { useLayoutEffect, useRef, useState } from "react";
import type { SearchCriteria } from "./search-criteria.ts";
import type { Anchor } from "./use-conversations.ts";

/** How far somebody read a list, and where in it they are. */
interface ListPlace {
  /** Where the pages that were read on demand begin; absent when only the newest was read. */
  readonly anchor?: Anchor | undefined;
  /** Rows that are rendered; absent: as many as at first. */
  readonly rows?: number;
  /** Names of the conversations that are selected. */
  readonly chosen?: ReadonlySet<string>;
  /** Names of the conversations that are shown, in their order. */
  readonly shown?: readonly string[];
  /** How far the page is scrolled, pixels. */
  readonly top?: number;
}

/** The list that was left last, and the place in it. */
let left: { readonly list: string; readonly place: ListPlace } | undefined;

/**
 * Keeps the place in a list while one of its conversations is open. Returns the place to begin at, and what notes the present one
 * with each render.
 */
export function useListPlace(app: string, criteria: SearchCriteria): readonly [ListPlace, (place: ListPlace) => void] {
  const list = `${app} ${JSON.stringify(criteria)}`;
  const { state } = useRouter();
  const [begun] = useState(() => {
    const from = decodeURIComponent(state.resolvedLocation?.pathname ?? "");
    return left?.list === list && from.includes(`/${app}/conversations/`) ? left.place : NOWHERE;
  });
  const now = useRef({ list, place: begun });
  const note = (place: ListPlace) => {
    now.current = { list, place };
  };
  useLayoutEffect(() => {
    const frame = document.getElementById("content");
    const top = begun.top ?? 0;
    // The tabs above the list bring the chosen one into view when they have been rendered.
    const waiting = top > 0 ? requestAnimationFrame(() => frame?.scrollTo({ top })) : 0;
    return () => {
      cancelAnimationFrame(waiting);
      left = { list: now.current.list, place: { ...now.current.place, top: frame?.scrollTop ?? 0 } };
    };
  }, [begun]);
  return [begun, note];
}

/** Where a conversation stands in the list that was left last, from 1, and the names beside it. */
interface Around {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly place: number;
  readonly count: number;
}

/** What is beside a conversation in the list that was left last; undefined when it is not in there. */
export function shownAround(name: string): Around | undefined {
  const shown = left?.place.shown ?? [];
  const at = shown.indexOf(name);
  if (at < 0) return undefined;
  return { previous: shown[at - 1], next: shown[at + 1], place: at + 1, count: shown.length };
}

/** Forgets the place: the list has become another one, as after something of it was deleted. */
export function forgetListPlace(): void {
  left = undefined;
}

const NOWHERE: ListPlace = {};
