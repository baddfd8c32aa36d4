// Machines have different fonts, and letters of different widths with them. A set is a folder of
// one family, told to the browser by a configuration of fontconfig of its own. All come from npm:
// DejaVu with the service, the others with the tests (scripts/system-parts.mjs).
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env } from 'node:process';

/** `name`: of the family. */
export type FontSet = { readonly name: string; readonly folder: string };

const dejavu = dirname(
  createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
);

export const FONT_SETS: readonly FontSet[] = [
  { name: 'DejaVu Sans', folder: dejavu },
  { name: 'Noto Sans', folder: folderOf('QUITTANCE_TEST_NOTO', 'noto-sans') },
  { name: 'Arimo', folder: folderOf('QUITTANCE_TEST_ARIMO', 'arimo') },
];

function folderOf(variable: string, name: string): string {
  const own = join(import.meta.dirname, 'fonts', 'node_modules', '@expo-google-fonts', name);
  return env[variable] ?? own;
}

/** Variables with which a browser sees no other fonts. */
export function fontEnvironment({ name, folder }: FontSet): Record<string, string> {
  const place = mkdtempSync(join(tmpdir(), 'quittance-fonts-'));
  const file = join(place, 'fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${place}</cachedir>
<match target="pattern"><test qual="all" name="family" compare="not_eq"><string>monospace</string></test>
<edit name="family" mode="append_last"><string>${name}</string></edit></match></fontconfig>
`,
  );
  return { FONTCONFIG_FILE: file };
}
