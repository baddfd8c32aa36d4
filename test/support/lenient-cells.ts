// What a spreadsheet finds in a file of comma-separated values, split at whatever it splits at.

/**
 * As spreadsheets and Python read: a quote counts at the beginning of a cell only, what follows its
 * end is added to the cell, and any line end outside of quotes ends a row.
 */
export function lenientCells(text: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' = 'start';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (state === 'quoted') {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else state = 'plain';
    } else if (char === '"' && state === 'start') state = 'quoted';
    else if (char === separator || char === '\r' || char === '\n') {
      cells.push(cell);
      cell = '';
      state = 'start';
    } else {
      cell += char;
      state = 'plain';
    }
  }
  return [...cells, cell];
}
