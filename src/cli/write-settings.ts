// The text of a settings file with other values: what a person wrote there (comments, order, names
// that are commented out) stays as it is.

const BEGIN = [
  '# Settings of Quittance, written by `npx quittance setup`. NAME=value, a line each.',
  '# `npx quittance settings` lists all there are; docs/operate/install.md says how to begin.',
  '# There are secrets in it: nobody else may read it (mode 0600).',
  '',
];

/** An empty value takes the setting out. Names that are new come last, in the order given. */
export function settingsText(
  before: string | undefined,
  values: ReadonlyMap<string, string>,
): string {
  const left = new Map(values);
  const lines = before === undefined ? BEGIN : before.replace(/\n+$/, '').split('\n');
  const kept = lines.flatMap((line) => {
    const name = /^\s*([A-Z][A-Z0-9_]*)\s*=/.exec(line)?.[1];
    const value = name === undefined ? undefined : values.get(name);
    if (name === undefined || value === undefined) return [line];
    // The last line of a name counts; of several only the first stays, with the value that counts.
    if (!left.delete(name) || value === '') return [];
    return [`${name}=${value}`];
  });
  const added = [...left].filter(([, value]) => value !== '');
  return `${[...kept, ...added.map(([name, value]) => `${name}=${value}`)].join('\n')}\n`;
}
