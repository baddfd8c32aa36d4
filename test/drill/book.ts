// The commands of the book of operation, as they stand in it: a drill types these and no others.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '#test/support/read-source.ts';

export type Said = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type Place = {
  /** Where the operator stands: `quittance.conf` and `data` lie here. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** The one line of code of that page that begins so, with continued lines joined, and no comment. */
export function lineOfBook(page: string, beginning: string): string {
  const text = readFileSync(join(ROOT, 'docs/operate', page), 'utf8');
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm)].map(([, code = '']) => code);
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const found = [...blocks.map((block) => block.replace(/\\\n\s*/g, ' ')), ...spans]
    .flatMap((code) => code.split('\n'))
    .map((line) => line.replace(/ +# .*$/, '').trim())
    .find((line) => line.startsWith(beginning));
  assert.ok(found !== undefined, `${page} has no line that begins with ${beginning}`);
  return found;
}

/** The block of that page that has this line, for a file that the reader writes. */
export function blockOfBook(page: string, line: string): string {
  const text = readFileSync(join(ROOT, 'docs/operate', page), 'utf8');
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm)].map(([, code = '']) => code);
  const found = blocks.find((block) => block.includes(line));
  assert.ok(found !== undefined, `${page} has no block with ${line}`);
  return found;
}

/**
 * Types a line of the book with the reader's own values in place of its examples; each example has
 * to stand in it.
 */
export async function typeLine(
  place: Place,
  line: string,
  own: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<Said> {
  const typed = Object.entries(own).reduce((text, [example, value]) => {
    assert.ok(text.includes(example), `${line} has no ${example}`);
    return text.replaceAll(example, value);
  }, line);
  const [first, program, ...words] = typed.split(/\s+/);
  assert.deepEqual([first, program], ['npx', 'quittance'], line);
  const child = spawn(process.execPath, [join(ROOT, 'scripts/quittance.mjs'), ...words, ...more], {
    cwd: place.directory,
    env: { PATH: process.env.PATH ?? '', HOME: place.directory, ...place.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr };
}
