/** A median and the quartiles beside it: half of all values lie between those. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  return { median: middle(values), low: sorted[quarter] ?? Number.NaN, high: sorted.at(-1 - quarter) ?? Number.NaN };
}

/** The median; of an even number of values, the mean of the two in the middle. */
export function middle(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** A number as people read it: three significant digits, thousands apart. */
export function figure(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 4;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A ratio with its spread: `0.93 (0.88–0.97)`. */
export function ratioText({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** A figure with its spread: `12.3 (11.9–14.0)`. */
export function spreadText({ median, low, high }: Spread): string {
  return `${figure(median)} (${figure(low)}–${figure(high)})`;
}

/** What an aim asks, and whether it was met. */
export function aim(text: string, met: boolean): string {
  return `${text}: ${met ? 'yes' : 'NO'}`;
}

/** Rows in columns as wide as they need; the first is flush left, the others flush right but for the last. */
export function table(header: string[], rows: string[][]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column === header.length - 1 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}
