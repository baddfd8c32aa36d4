// The code as text, for rules that patterns can hold (src/tidy*.test.ts).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './read-source.ts';

export type SourceFile = { readonly path: string; readonly folder: string; readonly text: string };

export function listFiles(...patterns: string[]): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return listed
    .split('\n')
    .filter((path) => path !== '')
    .flatMap((path) => {
      try {
        const parts = path.split('/');
        const folder = parts[0] === 'src' && parts.length > 2 ? (parts[1] ?? '') : '';
        return [{ path, folder, text: readFileSync(join(ROOT, path), 'utf8') }];
      } catch {
        return [];
      }
    });
}

export const SOURCE = listFiles('src/*.ts', 'src/**/*.ts');
export const ALL_CODE = listFiles('*.ts', '*.mjs', '*.sql');

export function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts');
}

export function offences(check: (file: SourceFile) => readonly string[]): string[] {
  return SOURCE.flatMap((file) => check(file).map((offence) => `${file.path}: ${offence}`));
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
