/** Steps between two lines: a step is 200 rows, or one blob. */
const STEPS_A_LINE = 250;

/** Called for each step of a copy with its rows; says now and then how far it is. Who sees nothing for an hour takes it for hanging. */
export function tellProgress(table: string, done: string, progress: (line: string) => void): (rows: number) => void {
  let [steps, sum] = [0, 0];
  return (rows) => {
    steps += 1;
    sum += rows;
    if (steps % STEPS_A_LINE === 0) progress(`${table}: ${sum} ${done} so far`);
  };
}
