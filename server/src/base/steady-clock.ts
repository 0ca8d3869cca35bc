import type { Clock } from "./clock.ts";

/**
 * A clock for spans of time: how long something is kept, left alone or waited for. It runs as the given one does, but where that is set back it goes on from where it was
 * (AUTH-24), so that an hour by which a machine's clock was ahead keeps nothing from ending for that hour. Its times are comparable with each other alone.
 */
export function steadyClock(clock: Clock): Clock {
  let latest = clock.now();
  let setBackMs = 0;
  return {
    now() {
      const time = clock.now();
      if (time < latest) setBackMs += latest - time;
      latest = time;
      return time + setBackMs;
    },
  };
}
